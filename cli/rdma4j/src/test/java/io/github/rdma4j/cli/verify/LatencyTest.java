// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a program in the place of ib_send_lat that has trouble with its clock, as ib_send_lat has on a busy machine. */
class LatencyTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** A server listens until a client has come; a client prints what the test has it print. */
    private static final String TOOL = """
            #!/usr/bin/perl
            use strict;
            use warnings;
            use IO::Socket::INET;
            if ($ARGV[-1] ne '127.0.0.1') {
                IO::Socket::INET->new(LocalPort => 18515, Listen => 1, ReuseAddr => 1)->accept;
                exit;
            }
            IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 18515) or die;
            my $ticks = grep { $_ eq '-C' } @ARGV;
            open my $count, '>>', "$0.count" or die;
            syswrite $count, '.';
            print "\n Correlation coefficient r^2: 0.529 < 0.9\n" unless $ticks;
            print " 64 5 1.0 9.0 FIGURE\n" =~ s/FIGURE/$ticks ? '8312.40' : FIGURE/er;
            """;

    @TempDir
    private Path directory;

    private final List<String> news = new ArrayList<>();

    /** What is said beside 3.3 microseconds of Java; the tool prints the value of {@code figure}, an expression in Perl. */
    private String beside(String figure) throws Exception {
        Path tool = directory.resolve("ib_send_lat");
        Files.writeString(tool, TOOL.replace(": FIGURE", ": " + figure));
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        RdmaDevice device =
                new RdmaDevice(0, "rxe0", 0, RdmaDevice.NodeType.CA, "roce", 1, Optional.of("uverbs0"), 0, 0, "rxe", 2);
        RdmaAddress rdma = new RdmaAddress(device, InetAddress.getLoopbackAddress(), 1);
        return new Latency(rdma, 7301, 0, 5, tool.toString()).besideC(3.3, LIMIT, news::add);
    }

    @Test
    void aToolThatNeverKnowsItsClockIsLeftOut() throws Exception {
        assertThat(beside("'inf'"))
                .startsWith("left out: ")
                .endsWith("gave no result: Correlation coefficient r^2: 0.529 < 0.9; with -C it measures 8,312 ticks");
        assertThat(news).hasSize(4);
        assertThat(news.get(0)).endsWith("attempt 2 of 5, because Correlation coefficient r^2: 0.529 < 0.9");
    }

    @Test
    void aToolThatKnowsItsClockTheSecondTimeIsMeasured() throws Exception {
        assertThat(beside("-s \"$0.count\" > 1 ? '3.00' : 'inf'")).isEqualTo("ib_send_lat 3.00 us, ratio 1.10");
        assertThat(news).hasSize(1);
    }
}
