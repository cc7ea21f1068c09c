// Shows the description of the API with Swagger UI, which takes the secret with its button "Authorize" and sends requests.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
});
