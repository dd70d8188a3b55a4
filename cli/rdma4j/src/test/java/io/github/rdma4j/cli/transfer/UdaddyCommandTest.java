// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class UdaddyCommandTest {
    private static final int USAGE = 2;

    private final StringWriter complaint = new StringWriter();
    private final CommandLine line = new CommandLine(new UdaddyCommand()).setErr(new PrintWriter(complaint));

    @Test
    void takesTheOptionsOfUdaddy() {
        line.parseArgs("-s 10.77.0.1 -b 10.77.0.2 -f ip -P ipoib -c 2 -C 3 -S 4 -t 5 -p 0x0111".split(" "));
        assertThat(line.getCommandSpec().findOption("-p").<Integer>getValue()).isEqualTo(0x111);
    }

    @ParameterizedTest
    @CsvSource({"-P tcp, it must be udp or ipoib", "-p 0x0106, it must be 0x0111", "-p udp, Invalid value"})
    void refusesWhatCannotBe(String arguments, String expected) {
        assertThat(line.execute(arguments.split(" "))).isEqualTo(USAGE);
        assertThat(complaint).asString().contains(expected);
    }
}
