// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

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
    @CsvSource(delimiter = '|', textBlock = """
            bogus                                      | unexpected argument 'bogus'
            doctor extra                               | unexpected argument 'extra'
            doctor --connections x                     | '''x'' is not a whole number'
            doctor --connections 0                     | --connections 0 is not from 1 to 2147483647
            ping -C abc host                           | '''abc'' is not a whole number'
            ping -C 99999999999 host                   | '''99999999999'' is out of range'
            verify                                     | name one of the commands: card, provider
            sa                                         | name one of the commands: class-port-info, groups,
            pong                                       | Did you mean: rdma4j ping
            ping --prot 1 host                         | --prot
            ping                                       | the address of the server is missing
            ping -s -c host                            | exclude each other
            ping host -a other                         | two addresses
            ping -P host                               | goes with --server
            ping --size 1 host                         | --size 1 is not from 26 to 1048576
            verify card --limit 0                      | --limit 0 is not from 1 to 3600
            verify card --limit 3601                   | --limit 3601 is not from 1 to 3600
            rcopy file                                 | the server is missing
            rcopy file host --once                     | are options of the server
            rcopy file :name                           | lacks the server
            rcopy -p 0                                 | -p 0 is not from 1 to 65535
            ping -s --max-connections 0                | --max-connections 0 is not from 1
            perf bogus                                 | there is no program bogus; the programs are send_lat
            perf send_lat -s 0 10.0.0.1                | --size 0 is not from 1 to 536870912
            perf atomic_lat -s 64 10.0.0.1             | --size 64 is not from 8 to 8
            perf send_lat -n 4 10.0.0.1                | --iters 4 is not from 5 to 100000000
            perf send_bw -t 15001 10.0.0.1             | --tx-depth 15001 is not from 1 to 15000
            perf send_lat -I 913 10.0.0.1              | --inline_size 913 is not from 0 to 912
            perf send_lat -p 0 10.0.0.1                | --port 0 is not from 1 to 65535
            perf send_lat --timeout 0 10.0.0.1         | --timeout 0 is not from 1 to 1000000
            perf send_lat --warm-up 3 10.0.0.1         | --warm-up 3 is not from 5 to 100000000
            perf send_lat -s many 10.0.0.1             | many
            perf send_lat 10.0.0.1 10.0.0.2            | 10.0.0.2
            perf send_lat -c XRC 10.0.0.1              | --connection XRC is not RC or UD
            perf write_lat -c UD 10.0.0.1              | -c UD is for send_lat and send_bw
            perf send_lat -q 2 10.0.0.1                | -q is for bandwidth programs
            perf send_bw -q 16385 10.0.0.1             | --qp 16385 is not from 1 to 16384
            perf send_bw -q 16384 10.0.0.1             | lower -q or -s
            perf write_lat -b 10.0.0.1                 | -b is for bandwidth programs
            perf atomic_bw -a 10.0.0.1                 | -a is not for atomic operations
            perf send_bw -r 0 10.0.0.1                 | --rx-depth 0 is not from 1 to 16384
            perf send_bw -m 1000 10.0.0.1              | --mtu 1000 is not 256, 512, 1024, 2048 or 4096
            perf write_bw --use-srq 10.0.0.1           | --use-srq is for send_lat and send_bw
            perf send_bw -D 0 10.0.0.1                 | --duration 0 is not from 1 to 1000000
            perf send_bw -D 5 -a 10.0.0.1              | -D and -a exclude each other
            perf send_bw -D 5 -e 10.0.0.1              | -D and -e exclude each other
            cmatose -P udp                             | it must be tcp or ib
            cmatose -a 32                              | -a 32 is not from 0 to 31
            cmatose -p no-such-service                 | no-such-service
            cmatose -p 70000                           | 70000
            udaddy -P tcp                              | it must be udp or ipoib
            udaddy -p 0x0106                           | it must be 0x0111
            udaddy -p udp                              | Invalid value
            mckey -s                                   | name groups with -m
            mckey -m 239.1.1.1 -M ff12::1 -b 10.77.0.1 | name groups with -m
            mckey -M ff12::1                           | -M needs -b
            mckey -M fe80::1 -b 10.77.0.1              | is not a group
            mckey -M group -b 10.77.0.1                | is not a GID
            mckey -m 10.77.0.9                         | -m 10.77.0.9 is not a group: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8
            mckey -m fe80::1                           | -m fe80::1 is not a group: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8
            mckey -m 239.1.1.1 -S 4097                 | -S 4097 is not from 0 to 4096
            mckey -m 239.1.1.1 -c 0                    | -c 0 is not from 1
            mckey -m 239.1.1.1 -w 0                    | -w 0 is not from 1
            mckey -m 239.1.1.1 -p 0x0106               | it must be 0x0111
            cmatose -c 0                               | -c 0 is not from 1
            cmatose -C -1                              | -C -1 is not from 0
            cmatose -S -1                              | -S -1 is not from 0
            cmatose -t 256                             | -t 256 is not from 0 to 255
            cmatose -f gid                             | use the IP address of the device
            cmatose -f dns                             | it must be name
            cmatose -s localhost -f ip                 | localhost is not a numeric address
            cmatose -C 1000000 -S 1000000              | send less
            cmatose -c 100000 -C 1000000 -S 1000000000 | take 190734863281250 MiB
            cmtime -c 0                                | --connections 0 is not from 1 to 100000
            cmtime -p 70000                            | --port 70000 is not from 1 to 65535
            cmtime -r 8                                | --retries 8 is not from 0 to 7
            cmtime -t 0                                | --timeout 0 is not from 1
            cmtime -x                                  | -x
            cmtime -c many                             | '''many'' is not a whole number'
            sa join                                    | the group is missing
            sa join 239.0.0.5 --mtu 2048               | give --qkey
            sa join 239.0.0.5 --qkey 1 --mtu 9         | --mtu 9 is not an MTU
            sa join 239.0.0.5 --qkey 1 --rate 7        | --rate 7 is not a rate
            sa join 239.0.0.5 --as guest               | no join state guest
            sa join 10.0.0.1                           | not a multicast address
            sa join example                            | neither a GID nor an IPv4 address
            sa leave                                   | GROUP is missing
            sa leave 239.0.0.5 --for 10.0.0.1          | is not a GID
            sa path here                               | neither a GID nor a LID
            sa path 70000                              | neither a GID nor a LID
            sa groups --attempts 17                    | from 1 to 16
            sa groups --timeout 0                      | is not from 1 to 2147483647
            sa watch --count 0                         | is not from 1 to 2147483647
            sa watch --renew 0                         | is not from 1 to 2147483647
            """)
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
                "cmatose -s 10.77.0.1 -b 10.77.0.2 -f ip -P ib -c 2 -C 3 -S 4 -t 5 -p 6 -m -a 7",
                "cmatose --migrate",
                "udaddy -s 10.77.0.1 -b 10.77.0.2 -f ip -P ipoib -c 2 -C 3 -S 4 -t 5 -p 0x0111"
            })
    void takesTheOptionsOfTheOriginals(String arguments) {
        assertThatCode(() -> line().parseArgs(arguments.split(" "))).doesNotThrowAnyException();
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
