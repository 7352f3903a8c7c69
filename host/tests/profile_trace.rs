//! The file that a profile writes, read by a JSON parser.

use ptyx::{DeviceBuffer, Error, Stream};

#[test]
fn the_trace_is_json_with_every_piece_of_work() {
    let stream = Stream::new().unwrap();
    let mut buffer = DeviceBuffer::<u32>::zeroed(100).unwrap();
    let (_, profile) = ptyx::profile(|| {
        buffer.fill_on(7, &stream)?;
        stream.sleep(core::time::Duration::from_micros(50))?;
        buffer.to_vec()
    })
    .unwrap();
    let file = std::env::temp_dir().join(format!("ptyx-trace-{}.json", std::process::id()));
    profile.write_trace(&file).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let of = |phase: &str| events.iter().filter(|event| event["ph"] == *phase).collect::<Vec<_>>();
    let (done, submitted) = (of("X"), of("i"));
    assert_eq!((done.len(), submitted.len()), (3, 3));
    for ((event, call), work) in done.iter().zip(submitted).zip(profile.work()) {
        assert_eq!(event["name"], work.name);
        let time = work.time.unwrap().as_secs_f64() * 1e6;
        assert!((event["dur"].as_f64().unwrap() - time).abs() < 0.01);
        assert!(event["ts"].is_number() && event["pid"] == work.device_index + 1);
        let submitted = work.submitted.as_secs_f64() * 1e6;
        assert!((call["ts"].as_f64().unwrap() - submitted).abs() < 0.01);
    }
    assert_eq!(done[0]["args"]["bytes"], 400);
    assert_eq!(done[1]["args"]["blocks"], serde_json::json!([1, 1, 1]));
    assert!(events.iter().any(|event| event["args"]["name"] == "device 0"));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let ((), profile) = ptyx::profile(|| Ok(())).unwrap();
    let error = profile.write_trace("/no/such/folder/trace.json").unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, Error::File { .. }), "{text}");
    assert!(text.starts_with("/no/such/folder/trace.json can't be written: "), "{text}");
}
