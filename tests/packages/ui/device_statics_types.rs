// What can't be a static of the device.
use ptyx::prelude::*;
use ptyx::Constant;

#[device_static]
fn function() {}

#[device_static]
static mut CHANGES: Constant<u32> = Constant::new(1);

#[device_static(name = "a")]
static NAMED: Constant<u32> = Constant::new(1);

fn main() {}
