// Generates the messages of ../../Proto/bench.proto.
use std::{env, fs};

fn main() {
    let folder = env::var("OUT_DIR").unwrap();
    fs::write(format!("{}/mod.rs", folder), "pub mod bench;").unwrap();
    protobuf_codegen_pure::Codegen::new()
        .out_dir(&folder)
        .inputs(&["../../Proto/bench.proto"])
        .include("../../Proto")
        .run()
        .unwrap();
    println!("cargo:rerun-if-changed=../../Proto/bench.proto");
}
