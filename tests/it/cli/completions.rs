use super::process::Process;
use super::{Folder, clean};

#[test]
fn bash_completes_commands_and_their_options() {
    let folder = Folder::new();
    let script = folder.run(&["completions", "bash"]).succeeded();
    folder.write("rbs.bash", &script.stdout);
    for (words, completed) in [
        ("rbs pla", "player players"),
        ("rbs player sh", "show"),
        ("rbs rounds --ser", "--server"),
    ] {
        let line = format!(
            "source rbs.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _rbs rbs \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = clean("bash", folder.0.path());
        let tried = Process::start(bash.args(["-c", &line]))
            .finish()
            .succeeded();
        assert_eq!(tried.stdout.trim(), completed, "{words}: {tried:#?}");
    }
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&["completions", shell]).succeeded();
        assert!(script.stdout.contains("unvoid"), "{shell}");
    }
    assert_eq!(folder.run(&["completions", "dos"]).failed().code, Some(2));
}
