// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CmatoseCommandTest {
    private static final int USAGE = 2;

    private final StringWriter complaint = new StringWriter();
    private final CommandLine line = new CommandLine(new CmatoseCommand()).setErr(new PrintWriter(complaint));

    @Test
    void takesTheOptionsOfUcmatose() {
        line.parseArgs("-s 10.77.0.1 -b 10.77.0.2 -f ip -P ib -c 2 -C 3 -S 4 -t 5 -p 6 -m -a 7".split(" "));
        assertThat(line.getCommandSpec().findOption("-m").<Boolean>getValue()).isTrue();
        assertThat(line.getCommandSpec().findOption("-a").<Integer>getValue()).isEqualTo(7);
        line.parseArgs("--migrate");
        assertThat(line.getCommandSpec().findOption("-m").<Boolean>getValue()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "-P udp, it must be tcp or ib",
        "-a 32, -a 32 is not from 0 to 31",
        "-p no-such-service, no-such-service",
        "-p 70000, 70000"
    })
    void refusesWhatCannotBe(String arguments, String expected) {
        assertThat(line.execute(arguments.split(" "))).isEqualTo(USAGE);
        assertThat(complaint).asString().contains(expected);
    }
}
