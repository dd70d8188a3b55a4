// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PerfFiguresTest {
    /** Times of 1 to 12 us. */
    private static double[] times() {
        double[] nanos = new double[12];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (i + 1) * 1000.0;
        }
        return nanos;
    }

    @Test
    void leavesOutTheTwoLongestTimesAsPerftestDoes() {
        LatencyFigures figures = LatencyFigures.of(times());

        assertThat(figures.min()).isEqualTo(1);
        assertThat(figures.max()).isEqualTo(11);
        assertThat(figures.typical()).isEqualTo(5.5);
        assertThat(figures.average()).isEqualTo(5.5);
        assertThat(figures.deviation()).isCloseTo(2.872, within(0.001));
        assertThat(figures.percentile99()).isEqualTo(11);
        assertThat(figures.percentile999()).isEqualTo(11);
    }

    @Test
    void takesTheMiddleOfAnOddNumber() {
        assertThat(LatencyFigures.of(new double[] {1000, 2000, 4000, 8000, 9000})
                        .typical())
                .isEqualTo(2);
    }

    @Test
    void printsTheColumnsOfPerftest() {
        PerfResult result = new PerfResult(
                PerfProgram.SEND_LAT, 64, 13, Optional.of(LatencyFigures.of(times())), Optional.empty(), 0);

        List<String> table = PerfReport.table(result);

        assertThat(table).hasSize(2);
        assertThat(table.get(0)).contains("t_min[usec]", "t_typical[usec]", "99.9% percentile[usec]");
        assertThat(table.get(1).trim().split(" +"))
                .containsExactly("64", "13", "1.00", "11.00", "5.50", "5.50", "2.87", "11.00", "11.00");
    }

    @Test
    void countsMessagesAndMebibytes() {
        PerfOptions options = PerfOptions.of(PerfProgram.WRITE_BW).size(1 << 20).iterations(10);

        PerfResult result = Bandwidth.result(options, 2_000_000_000L, 7, 0);

        assertThat(result.bandwidth()).contains(new BandwidthFigures(1 << 20, 10, 7, 5, 0.000005));
        assertThat(PerfReport.table(result).get(1).trim().split(" +"))
                .containsExactly("1048576", "10", "7.00", "5.00", "0.000005");
    }

    @Test
    void printsNothingForAServerThatOnlyWaits() {
        PerfResult result = new PerfResult(PerfProgram.READ_LAT, 2, 10, Optional.empty(), Optional.empty(), -1);

        assertThat(PerfReport.table(result)).isEmpty();
        assertThat(PerfReport.map(result, false))
                .isEqualTo(Map.of("program", "read_lat", "role", "server", "size", 2, "iterations", 10));
    }

    @Test
    void spreadsSmallMessagesOverAPage() {
        Spread small = Spread.of(PerfOptions.of(PerfProgram.WRITE_BW).size(65), 4096, 64);
        Spread large = Spread.of(PerfOptions.of(PerfProgram.WRITE_BW).size(5000), 4096, 64);
        Spread latency = Spread.of(PerfOptions.of(PerfProgram.WRITE_LAT).size(65), 4096, 64);

        assertThat(small).isEqualTo(new Spread(4096, 32, 128));
        assertThat(small.offset(31)).isEqualTo(31 * 128);
        assertThat(small.offset(32)).isZero();
        assertThat(large).isEqualTo(new Spread(5056, 1, 0));
        assertThat(latency).isEqualTo(new Spread(4096, 1, 0));
    }
}
