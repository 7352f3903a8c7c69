//! Distances of records from a place, after Rodinia's nn: an array of structs.

use crate::prelude::*;

/// Where a record is, in degrees.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Place {
    latitude: f32,
    longitude: f32,
}

forms! {
    /// A grid of two dimensions, as grids had to be for many blocks.
    #[kernel]
    pub fn nearest(
        records: i32,
        latitude: f32,
        longitude: f32,
        place: &[Place],
        mut distance: Disjoint<f32>,
    ) {
        let own = thread::rank_in_grid();
        let i = own.get() as Ix;
        if i < records as Ix {
            let place = at!(place, i);
            let (y, x) = (latitude - place.latitude, longitude - place.longitude);
            own!(distance, own) = (y * y + x * x).sqrt();
        }
    }
}

/// 2^25 records.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 25, 5000);
    let (latitude, longitude) = (30.0, 90.0);
    let numbers = run.between(0.0, 180.0, 2 * n);
    let place: Vec<Place> =
        numbers.chunks(2).map(|at| Place { latitude: at[0], longitude: at[1] }).collect();
    let want = place.iter().map(|at| {
        f64::from(latitude - at.latitude).hypot(f64::from(longitude - at.longitude)) as f32
    });
    let distance = Output::new(&vec![f32::NAN; n], want.collect())?.within(1e-5);
    let place = DeviceBuffer::from_slice(&place)?;
    let blocks = n.div_ceil(256);
    compare!(
        run,
        [&distance],
        nearest,
        (blocks.div_ceil(64), 64),
        256,
        (n as i32, latitude, longitude, &place, &mut *distance.buffer())
    )
}
