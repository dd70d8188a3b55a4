// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cli.perf.PerfProgram;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PerftestOutputTest {
    @Test
    void readsTheColumnsOfALatencyProgram() throws Exception {
        String output = """
                 Transport type : IB
                 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]
                 64      1000    8.29   120.66   8.60     	   9.03    	4.12   		22.98   		120.66
                """;

        PerftestOutput figures = PerftestOutput.of(output, 64, 1000);

        assertThat(figures.typical()).isEqualTo(8.60);
        assertThat(figures.percentile99()).isEqualTo(22.98);
    }

    @Test
    void readsTheColumnsOfABandwidthProgram() throws Exception {
        String output = """
                 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
                 65536      500              70.88              70.22  		   0.001123
                """;

        PerftestOutput figures = PerftestOutput.of(output, 65536, 500);

        assertThat(figures.averageBandwidth()).isEqualTo(70.22);
        assertThat(figures.messageRate()).isEqualTo(1123);
    }

    @Test
    void refusesFiguresThatAreNone() throws Exception {
        PerftestOutput figures = PerftestOutput.of(" 64 200 inf inf inf inf -nan inf inf\n", 64, 200);

        assertThatThrownBy(figures::typical).isInstanceOf(RdmaException.class).hasMessageContaining("inf");
        PerftestOutput rate = PerftestOutput.of(" 64 200 0.00 0.00 0.000000\n", 64, 200);
        assertThatThrownBy(rate::messageRate).isInstanceOf(RdmaException.class);
    }

    @Test
    void refusesTheFiguresOfAnotherMeasurementAndNone() {
        assertThatThrownBy(() -> PerftestOutput.of(" 64 200 1 2 3 4 5 6 7\n", 64, 201))
                .isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> PerftestOutput.of("Couldn't connect\n", 64, 200))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("Couldn't connect");
    }

    @Test
    void asksPerftestForTheSameAsJava() {
        PerfSpec datagrams = new PerfSpec(PerfProgram.SEND_BW, 64, 500, PerfSpec.Kind.DATAGRAMS);

        assertThat(datagrams.command(7).stream())
                .containsExactly("ib_send_bw", "-R", "-F", "-p", "7", "-n", "500", "-s", "64", "-t", "128", "-c", "UD");
        assertThat(PerfSpec.ofArguments(datagrams.arguments())).isEqualTo(datagrams);
        assertThat(PerfSpec.polled(PerfProgram.ATOMIC_LAT, 8, 100).command(7))
                .isEqualTo(List.of("ib_atomic_lat", "-R", "-F", "-p", "7", "-n", "100", "-C"));
    }
}
