// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our mckey and C mckey, each as the sender to the other. */
abstract class MckeyInteropScenarios {
    static final String GROUP = "239.77.6.1";
    private static final String ALL = "10 of 10 messages received, 0 lost, ";
    private static final String VERIFIED = ALL + "10 verified, 0 of another program, 0 duplicate, 0 damaged";

    static RunningCommand java(String options) {
        return RunningCommand.start("mckey " + options);
    }

    private static RunningCommand receiver(String options) {
        return java(options).awaitOutput("receiving data transfers");
    }

    /** What the event of a join says of the group {@link #GROUP}. */
    abstract String group();

    static Program mckey(String options) {
        // C's library would keep what it says until it ends.
        return Program.start(("stdbuf -oL mckey " + options).split(" "));
    }

    private static Program joinedMckey(String options) {
        Program receiver = mckey(options);
        receiver.awaitOutput("joined dgid");
        return receiver;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " -o"})
    void sendsToItself(String mode) throws Exception {
        RunningCommand receiver = receiver("-b 10.77.0.1 -m " + GROUP);
        assertThat(java("-b 10.77.0.1 -s -d 0 -m " + GROUP + mode).end(0))
                .containsSubsequence(
                        "mckey: starting client",
                        "mckey: joining",
                        "mckey: joined dgid: " + group(),
                        "initiating data transfers",
                        "data transfers complete",
                        "test complete",
                        "return status 0");
        assertThat(receiver.end(0))
                .containsSubsequence(
                        "mckey: starting server",
                        "mckey: joined dgid: " + group(),
                        "receiving data transfers",
                        GROUP + ": " + VERIFIED,
                        "data transfers complete",
                        "test complete",
                        "return status 0");
    }

    /** All at a time, because C waits three seconds between joining and sending. */
    @Test
    void receivesMessagesOfTheCSender(@TempDir Path directory) throws Exception {
        PatientMckey mckey = PatientMckey.compile(directory);
        Path done = directory.resolve("done");
        RunningCommand member = receiver("-b 10.77.0.1 -m 239.77.6.11");
        RunningCommand sendOnly = receiver("-b 10.77.0.1 -m 239.77.6.12");
        RunningCommand many = receiver("-b 10.77.0.1 -m 239.77.6.13 -c 2 -C 50 -S 1024");
        try (Program one = Program.start(mckey.command(done, "-b 10.77.0.1 -s -m 239.77.6.11"));
                Program two = Program.start(mckey.command(done, "-b 10.77.0.1 -s -o -m 239.77.6.12"));
                Program three =
                        Program.start(mckey.command(done, "-b 10.77.0.1 -s -m 239.77.6.13 -c 2 -C 50 -S 1024"))) {
            for (RunningCommand receiver : List.of(member, sendOnly, many)) {
                assertThat(receiver.end(0)).contains(" 0 lost, ").contains("0 duplicate, 0 damaged");
            }
            Files.createFile(done);
            for (Program sender : List.of(one, two, three)) {
                assertThat(sender.success()).contains("data transfers complete", "return status 0");
            }
        }
    }

    /** One at a time, because C receivers poll without pause and leave little to others. */
    @ParameterizedTest
    @ValueSource(strings = {" -o", " -c 2 -C 50 -S 1024"})
    void sendsMessagesToTheCReceiver(String options) throws Exception {
        try (Program receiver = joinedMckey("-b 10.77.0.1 -m " + GROUP + options.replace(" -o", ""))) {
            java("-b 10.77.0.1 -s -d 0 -m " + GROUP + options).end(0);
            assertThat(receiver.success()).contains("data transfers complete", "return status 0");
        }
    }

    @Nightly
    @Test
    void sendsToThreeReceiversOfBothKinds() throws Exception {
        RunningCommand one = receiver("-b 10.77.0.1 -m " + GROUP);
        RunningCommand two = receiver("-b 10.77.0.1 -m " + GROUP);
        try (Program three = joinedMckey("-b 10.77.0.1 -m " + GROUP)) {
            java("-b 10.77.0.1 -s -d 0 -m " + GROUP).end(0);
            assertThat(one.end(0)).contains(VERIFIED);
            assertThat(two.end(0)).contains(VERIFIED);
            assertThat(three.success()).contains("data transfers complete");
        }
    }

    /** Each group has messages of its own: who is in one gets nothing of the others. */
    @Test
    void isInSeveralGroupsAtATime() throws Exception {
        RunningCommand all = receiver("-b 10.77.0.1 -m 239.77.6.2,239.77.6.3,239.77.6.4 -c 2");
        RunningCommand one = receiver("-b 10.77.0.1 -m 239.77.6.3 -C 20 -w 3");
        java("-b 10.77.0.1 -s -d 0 -m 239.77.6.2,239.77.6.3,239.77.6.4").end(0);
        assertThat(all.end(0).lines().filter(line -> line.contains(VERIFIED))).hasSize(6);
        assertThat(one.end(1)).contains("239.77.6.3: 10 of 20 messages received, 10 lost, 10 verified");
    }

    @Test
    void reportsLostMessages() throws Exception {
        RunningCommand receiver = receiver("-b 10.77.0.1 -w 2 -C 10 -m " + GROUP);
        java("-b 10.77.0.1 -s -d 0 -C 7 -m " + GROUP).end(0);
        assertThat(receiver.end(1))
                .contains("7 of 10 messages received, 3 lost, 7 verified")
                .contains("3 messages were lost")
                .contains("return status 1");
    }

    /** Bind address or none: the route to the group says which device is meant. */
    @Test
    void findsTheDeviceByTheGroup() throws Exception {
        RunningCommand receiver = receiver("-m " + GROUP);
        java("-s -d 0 -m " + GROUP).end(0);
        assertThat(receiver.end(0)).contains(VERIFIED);
    }
}
