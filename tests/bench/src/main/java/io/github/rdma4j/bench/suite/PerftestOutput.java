// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/**
 * The line of figures that a program of perftest prints, by the columns of its table.
 *
 * @param columns of the line
 * @param output of the program
 */
record PerftestOutput(List<String> columns, String output) {
    private static final int TYPICAL = 4;
    private static final int P99 = 7;
    private static final int AVERAGE_BANDWIDTH = 3;
    private static final int MESSAGE_RATE = 4;
    private static final double MILLION = 1e6;

    /** The figures in the output of a client. */
    static PerftestOutput of(String output, int size, int iterations) throws RdmaException {
        return output.lines()
                .map(line -> List.of(line.strip().split("\\s+")))
                .filter(words -> words.size() > MESSAGE_RATE
                        && words.get(0).equals(String.valueOf(size))
                        && words.get(1).equals(String.valueOf(iterations)))
                .findFirst()
                .map(words -> new PerftestOutput(words, output))
                .orElseThrow(() -> new RdmaException("perftest printed no line of figures:\n" + output));
    }

    /** The median, in microseconds, or in ticks with -C. */
    double typical() throws RdmaException {
        return number(TYPICAL);
    }

    /** In microseconds, or in ticks with -C. */
    double percentile99() throws RdmaException {
        return number(P99);
    }

    /** In MB/s as perftest counts them, 1,048,576 bytes each. */
    double averageBandwidth() throws RdmaException {
        return number(AVERAGE_BANDWIDTH);
    }

    /** Messages a second. */
    double messageRate() throws RdmaException {
        return number(MESSAGE_RATE) * MILLION;
    }

    /** Perftest prints {@code inf}, {@code -nan} and rates of 0 when it does not know the clock of the processor. */
    private double number(int column) throws RdmaException {
        if (column >= columns.size() || !columns.get(column).matches("(?=.*[1-9])[0-9]+(\\.[0-9]+)?")) {
            throw new RdmaException("perftest printed no figure in column " + (column + 1) + ":\n" + output);
        }
        return Double.parseDouble(columns.get(column));
    }
}
