//! One step of an LSTM, after its matrix products: the gates of each unit.

use crate::prelude::*;

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

forms! {
    /// One thread per unit of a sequence. Rows of gates have the four gates one after another.
    #[kernel]
    pub fn lstm_cell(
        total: i32,
        units: i32,
        from_input: &[f32],
        from_hidden: &[f32],
        bias: &[f32],
        cell: &[f32],
        mut next_cell: Disjoint<f32>,
        mut hidden: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= total {
            return;
        }
        let row = i / units;
        let unit = i % units;
        let mut gates = [0.0f32; 4];
        for k in 0..4 {
            let place = row * 4 * units + k * units + unit;
            let sum = at!(from_input, place) + at!(from_hidden, place);
            put!(gates, k, sum + at!(bias, k * units + unit));
        }
        let input = sigmoid(gates[0]);
        let forget = sigmoid(gates[1]);
        let candidate = gates[2].tanh();
        let output = sigmoid(gates[3]);
        let next = forget * at!(cell, i) + input * candidate;
        own!(next_cell, own) = next;
        own!(hidden, own) = output * next.tanh();
    }
}

/// 8192 sequences, 1024 units.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, units) = (run.size(8192, 9), run.size(1024, 57));
    let total = rows * units;
    let from_input = run.between(-2.0, 2.0, 4 * total);
    let from_hidden = run.between(-2.0, 2.0, 4 * total);
    let (bias, cell) = (run.floats(4 * units), run.floats(total));
    let (mut cells, mut outputs) = (Vec::with_capacity(total), Vec::with_capacity(total));
    // The logistic function in terms of the hyperbolic tangent.
    let logistic = |x: f64| 0.5 + 0.5 * (0.5 * x).tanh();
    for row in 0..rows {
        for unit in 0..units {
            let gate = |k: usize| {
                let column = k * units + unit;
                let place = row * 4 * units + column;
                f64::from(from_input[place]) + f64::from(from_hidden[place]) + f64::from(bias[column])
            };
            let kept = logistic(gate(1)) * f64::from(cell[row * units + unit]);
            let next = kept + logistic(gate(0)) * gate(2).tanh();
            cells.push(next as f32);
            outputs.push((logistic(gate(3)) * next.tanh()) as f32);
        }
    }
    let next_cell = Output::new(&vec![f32::NAN; total], cells)?.within(1e-5);
    let hidden = Output::new(&vec![f32::NAN; total], outputs)?.within(1e-5);
    let from_input = DeviceBuffer::from_slice(&from_input)?;
    let from_hidden = DeviceBuffer::from_slice(&from_hidden)?;
    let (bias, cell) = (DeviceBuffer::from_slice(&bias)?, DeviceBuffer::from_slice(&cell)?);
    compare!(
        run,
        [&next_cell, &hidden],
        lstm_cell,
        total.div_ceil(256),
        256,
        (
            total as i32,
            units as i32,
            &from_input,
            &from_hidden,
            &bias,
            &cell,
            &mut *next_cell.buffer(),
            &mut *hidden.buffer()
        )
    )
}
