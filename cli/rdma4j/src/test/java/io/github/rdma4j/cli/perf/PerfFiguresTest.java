// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.cli.perf.PerfResult.LatencyFigures;
import java.net.InetSocketAddress;
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

        assertThat(result.head(false).orElseThrow())
                .contains("t_min[usec]", "t_typical[usec]", "99.9% percentile[usec]");
        assertThat(words(result))
                .containsExactly("64", "13", "1.00", "11.00", "5.50", "5.50", "2.87", "11.00", "11.00");
    }

    @Test
    void countsMessagesAndMebibytes() {
        PerfOptions options = PerfOptions.of(PerfProgram.WRITE_BW).size(1 << 20).iterations(10);

        PerfResult result = Bandwidth.result(options, 10, 2_000_000_000L, 7, 0);

        assertThat(result.bandwidth()).contains(new BandwidthFigures(1 << 20, 10, 7, 5, 0.000005));
        assertThat(words(result)).containsExactly("1048576", "10", "7.00", "5.00", "0.000005");
    }

    @Test
    void countsGigabits() {
        PerfOptions options = PerfOptions.of(PerfProgram.WRITE_BW).size(1_000_000);
        options.gigabits = true;

        PerfResult result = Bandwidth.result(options, 250, 1_000_000_000L, 0, 0);

        assertThat(result.bandwidth().orElseThrow().average()).isEqualTo(2);
        assertThat(result.head(true).orElseThrow()).contains("BW average[Gb/sec]");
        assertThat(result.map(options)).containsEntry("average_gbit_per_s", 2.0);
    }

    private static String[] words(PerfResult result) {
        return result.line().orElseThrow().trim().split(" +");
    }

    @Test
    void printsTheMeanOfARunByTime() {
        PerfResult result = new PerfResult(
                PerfProgram.SEND_LAT,
                64,
                500,
                Optional.of(LatencyFigures.ofAverage(2.5, 200_000)),
                Optional.empty(),
                0);

        assertThat(result.head(false).orElseThrow()).contains("t_avg[usec]", "tps average");
        assertThat(words(result)).containsExactly("64", "500", "2.50", "200000.00");
        assertThat(result.map(PerfOptions.of(result.program()).server(new InetSocketAddress(0))))
                .containsEntry("average_us", 2.5)
                .containsEntry("messages_per_s", 200_000.0)
                .doesNotContainKey("min_us");
    }

    @Test
    void takesTheSizesOfPerftest() {
        PerfOptions all = PerfOptions.of(PerfProgram.SEND_BW);
        all.allSizes = true;
        assertThat(all.sizes()).hasSize(23).startsWith(2, 4, 8).endsWith(1 << 22, 1 << 23);

        PerfOptions datagrams = PerfOptions.of(PerfProgram.SEND_BW).datagrams(true);
        datagrams.fit(1024);
        assertThat(datagrams.sizes()).containsExactly(1024);
        datagrams.allSizes = true;
        assertThat(datagrams.sizes()).hasSize(10).endsWith(1024);
    }

    @Test
    void printsNothingForAServerThatOnlyWaits() {
        PerfResult result = new PerfResult(PerfProgram.READ_LAT, 2, 10, Optional.empty(), Optional.empty(), -1);

        assertThat(result.head(false)).isEmpty();
        assertThat(result.line()).isEmpty();
        assertThat(result.map(PerfOptions.of(result.program())))
                .isEqualTo(Map.of("program", "read_lat", "role", "server", "size", 2, "iterations", 10L));
    }

    @Test
    void spreadsSmallMessagesOverAPage() {
        TestBed.Spread small =
                TestBed.Spread.of(PerfOptions.of(PerfProgram.WRITE_BW).size(65), 4096, 64);
        TestBed.Spread large =
                TestBed.Spread.of(PerfOptions.of(PerfProgram.WRITE_BW).size(5000), 4096, 64);
        TestBed.Spread latency =
                TestBed.Spread.of(PerfOptions.of(PerfProgram.WRITE_LAT).size(65), 4096, 64);

        assertThat(small).isEqualTo(new TestBed.Spread(4096, 32, 128));
        assertThat(small.offset(31)).isEqualTo(31 * 128);
        assertThat(small.offset(32)).isZero();
        assertThat(large).isEqualTo(new TestBed.Spread(5056, 1, 0));
        assertThat(latency).isEqualTo(new TestBed.Spread(4096, 1, 0));
    }
}
