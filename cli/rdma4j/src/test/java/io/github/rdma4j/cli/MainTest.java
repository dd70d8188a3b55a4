// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.StandardOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private static final int FAILURE = 1;
    private static final int USAGE = 2;
    private static final int NOBODY_READS = 141;

    private final StringWriter output = new StringWriter();
    private final StringWriter complaint = new StringWriter();

    private int run(String arguments) {
        return line().execute(arguments.split(" "));
    }

    private CommandLine line() {
        return Main.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(complaint));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--version",
                "ping -V",
                "ping --version",
                "sa --version",
                "sa groups -V",
                "bench cm -V",
                "verify card -V"
            })
    void everyCommandKnowsTheVersion(String arguments) {
        assertThat(run(arguments)).isZero();
        assertThat(output.toString()).matches("rdma4j \\d+\\.\\d+\\.\\d+\\S*\\R");
    }

    @ParameterizedTest
    @CsvSource({
        "bogus, unexpected argument 'bogus'",
        "doctor extra, unexpected argument 'extra'",
        "doctor --connections x, 'x' is not a whole number",
        "doctor --connections 0, --connections 0 is not from 1 to 2147483647",
        "ping -C abc host, 'abc' is not a whole number",
        "ping -C 99999999999 host, '99999999999' is out of range",
        "verify, 'name one of the commands: card, provider'",
        "sa, 'name one of the commands: class-port-info, groups, '",
        "pong, Did you mean: rdma4j ping",
        "ping --prot 1 host, '--prot'",
        "ping, the address of the server is missing",
        "ping -s -c host, exclude each other",
        "ping host -a other, two addresses",
        "ping -P host, goes with --server",
        "ping --size 1 host, --size 1 is not from 26 to 1048576",
        "verify card --limit 0, --limit 0 is not from 1 to 3600",
        "rcopy file, the server is missing",
        "rcopy file host --once, are options of the server",
        "rcopy file :name, lacks the server",
        "rcopy -p 0, -p 0 is not from 1 to 65535",
        "ping -s --max-connections 0, --max-connections 0 is not from 1"
    })
    void wrongUsageIsNamedInAFewLines(String arguments, String what) {
        assertThat(run(arguments)).isEqualTo(USAGE);
        assertThat(complaint.toString())
                .startsWith("rdma4j: ")
                .contains(what, "--help")
                .hasLineCount(what.startsWith("Did") ? 3 : 2);
        assertThat(output.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ping no.such.host.invalid",
                "ping -s -a no.such.host.invalid",
                "cmtime -s no.such.host.invalid",
                "cmtime -b no.such.host.invalid",
                "cmatose -s no.such.host.invalid",
                "udaddy -s no.such.host.invalid",
                "mckey -m no.such.host.invalid",
                "rcopy file no.such.host.invalid:name"
            })
    void aNameWithoutAddressIsAFailureAndNoWrongUsage(String arguments) {
        assertThat(run(arguments)).isEqualTo(FAILURE);
        assertThat(complaint.toString())
                .containsOnlyOnce("no.such.host.invalid")
                .hasLineCount(1);
    }

    @Test
    void endsQuietlyWhenNobodyReads() {
        PrintStream gone = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int octet) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                },
                false,
                StandardCharsets.US_ASCII);
        int status = Main.commandLine()
                .setOut(new StandardOutput(gone))
                .setErr(new PrintWriter(complaint))
                .execute("doctor");
        assertThat(status).isEqualTo(NOBODY_READS);
        assertThat(complaint.toString()).isEmpty();
    }
}
