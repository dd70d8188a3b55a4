// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Command lines that make no sense, before anything is connected. */
class PerfCommandTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bogus                                | there is no program bogus; the programs are send_lat
            send_lat -s 0 10.0.0.1               | --size 0 is not from 1 to 536870912
            atomic_lat -s 64 10.0.0.1            | --size 64 is not from 8 to 8
            send_lat -n 4 10.0.0.1               | --iters 4 is not from 5 to 100000000
            send_bw -t 15001 10.0.0.1            | --tx-depth 15001 is not from 1 to 15000
            send_lat -I 913 10.0.0.1             | --inline_size 913 is not from 0 to 912
            send_lat -p 0 10.0.0.1               | --port 0 is not from 1 to 65535
            send_lat --timeout 0 10.0.0.1        | --timeout 0 is not from 1 to 1000000
            send_lat --warm-up 3 10.0.0.1        | --warm-up 3 is not from 5 to 100000000
            send_lat -s many 10.0.0.1            | many
            send_lat 10.0.0.1 10.0.0.2           | 10.0.0.2
            send_lat -c XRC 10.0.0.1             | --connection XRC is not RC or UD
            write_lat -c UD 10.0.0.1             | -c UD is for send_lat and send_bw
            send_lat -q 2 10.0.0.1               | -q is for bandwidth programs
            send_bw -q 16385 10.0.0.1            | --qp 16385 is not from 1 to 16384
            send_bw -q 16384 10.0.0.1            | lower -q or -s
            write_lat -b 10.0.0.1                | -b is for bandwidth programs
            atomic_bw -a 10.0.0.1                | -a is not for atomic operations
            send_bw -r 0 10.0.0.1                | --rx-depth 0 is not from 1 to 16384
            send_bw -m 1000 10.0.0.1             | --mtu 1000 is not 256, 512, 1024, 2048 or 4096
            write_bw --use-srq 10.0.0.1          | --use-srq is for send_lat and send_bw
            send_bw -D 0 10.0.0.1                | --duration 0 is not from 1 to 1000000
            send_bw -D 5 -a 10.0.0.1             | -D and -a exclude each other
            send_bw -D 5 -e 10.0.0.1             | -D and -e exclude each other
            """)
    void saysWhatIsAllowed(String line, String complaint) {
        StringWriter errors = new StringWriter();

        int status = new CommandLine(new PerfCommand())
                .setErr(new PrintWriter(errors))
                .execute(line.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(errors.toString()).contains(complaint);
    }
}
