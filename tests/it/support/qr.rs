//! Reader of QR codes.

use rqrr::PreparedImage;

/// Text in a QR code, given as rows of modules (`true` is dark) without the margin.
pub fn decoded(rows: &[Vec<bool>]) -> String {
    const PIXELS: usize = 4;
    const MARGIN: usize = 4;
    let side = (rows.len() + 2 * MARGIN) * PIXELS;
    let is_dark = |x: usize, y: usize| {
        let module = |at: usize| (at / PIXELS).checked_sub(MARGIN);
        let row = rows.get(module(y)?)?;
        row.get(module(x)?).copied()
    };
    let pixel = |x, y| if is_dark(x, y) == Some(true) { 0 } else { 255 };
    let mut image = PreparedImage::prepare_from_greyscale(side, side, pixel);
    let grids = image.detect_grids();
    let [grid] = grids.as_slice() else {
        panic!("{} codes", grids.len());
    };
    grid.decode().expect("a QR code").1
}
