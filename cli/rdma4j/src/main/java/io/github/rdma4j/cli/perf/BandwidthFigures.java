// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

/**
 * The result of a bandwidth program, as its table shows it.
 *
 * @param size bytes of a message
 * @param iterations number of messages
 * @param peak the highest rate of any run of messages, in MiB/s; 0 where it was not looked for
 * @param average MiB/s
 * @param messageRate millions of messages a second
 */
public record BandwidthFigures(long size, long iterations, double peak, double average, double messageRate) {
    /** What a side says that has measured nothing. */
    static final BandwidthFigures NONE = new BandwidthFigures(0, 0, 0, 0, 0);

    /** Both directions together; the number of messages is that of one. */
    BandwidthFigures plus(BandwidthFigures other) {
        return new BandwidthFigures(
                size, iterations, peak + other.peak, average + other.average, messageRate + other.messageRate);
    }
}
