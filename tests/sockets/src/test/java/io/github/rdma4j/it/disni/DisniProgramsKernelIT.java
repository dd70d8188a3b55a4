// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that know DiSNI only: endpoint groups, and what is left when they end or something fails. */
@RequiresKernel
class DisniProgramsKernelIT {
    private static final Duration LIMIT = Duration.ofSeconds(110);

    private final String port = Integer.toString(Rxe.newPort());

    /** What a program says, without the logger's remark that there is no logger. */
    static List<String> lines(List<String> command) throws Exception {
        return lines(command, LIMIT);
    }

    private static List<String> lines(List<String> command, Duration limit) throws Exception {
        try (Program program = Program.start(command)) {
            return lines(program.success(limit));
        }
    }

    private static List<String> lines(String output) {
        return output.lines().filter(line -> !line.startsWith("SLF4J")).toList();
    }

    private static void assertNothingIsLeft(List<String> lines) {
        String before = value(lines, "before: ");
        String after = value(lines, "after: ");
        assertThat(objects(after)).isEqualTo(objects(before));
        // A few of the library's own, for threads that wait at the same time.
        assertThat(descriptors(after)).isBetween(descriptors(before) - 8, descriptors(before) + 8);
    }

    private static String value(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + "in " + lines))
                .substring(name.length());
    }

    private static String objects(String resources) {
        return resources.substring(0, resources.lastIndexOf(','));
    }

    private static int descriptors(String resources) {
        return Integer.parseInt(resources.replaceFirst(".*, (\\d+) descriptors", "$1"));
    }

    @Nightly
    @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @ParameterizedTest
    @ValueSource(strings = {"passive", "active"})
    void aThousandEndpointsOfAGroupLeaveNothing(String group) throws Exception {
        endpointsOfAGroupExchangeMessagesAndLeaveNothing(group, "1000");
    }

    /** In User Mode Linux, a thousand connections take 6 s; an emulated processor takes longer. */
    @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @ParameterizedTest
    @CsvSource({"passive, 20", "active, 20", "polling, 20"})
    void endpointsOfAGroupExchangeMessagesAndLeaveNothing(String group, String connections) throws Exception {
        List<String> lines =
                lines(Program.java(EchoGroups.class, group, Rxe.IPV4, port, connections), LIMIT.multipliedBy(7));
        assertThat(lines).last().isEqualTo(connections + " connections");
        assertNothingIsLeft(lines);
    }

    /** With libdisni, such a listener has no protection domain. */
    @Test
    void aServerMayBeBoundToEveryAddress() throws Exception {
        List<String> lines = lines(Program.java(EchoGroups.class, "active", Rxe.IPV4, port, "3", "0.0.0.0"));
        assertThat(lines).last().isEqualTo("3 connections");
    }

    /** DiSNI waits on: the log tells why. */
    @ParameterizedTest
    @CsvSource({Rxe.IPV4 + ", 'REJECTED, reason 8'", Rxe.SILENT + ", ADDR_ERROR"})
    void theLogTellsWhyAConnectWaitsForEver(String address, String event) throws Exception {
        try (Program program = Program.start(Program.java(Unanswered.class, address, port))) {
            program.awaitOutput("RdmaEndpoint of DiSNI does not tell the thread");
            assertThat(program.output()).contains(event, address + ":" + port);
        }
    }

    @Test
    void everyOrderOfClosingLeavesNothing() throws Exception {
        List<String> lines = lines(Program.java(ClosingOrders.class, Rxe.IPV4, port));
        assertThat(lines).last().isEqualTo("120 orders");
        assertNothingIsLeft(lines);
    }

    @Test
    void aRemovedDeviceIsLetGo() throws Exception {
        try (RemovableLink link = RemovableLink.make();
                Program program = Program.start(Program.java(RemovedDevice.class, RemovableLink.ADDRESS, port))) {
            program.awaitOutput("ready");
            try (Program deletion = link.delete()) {
                program.awaitOutput("let go");
                deletion.success(LIMIT);
            }
            assertThat(link.isThere()).isFalse();
            assertThat(lines(program.output()))
                    .contains("told of the listener", "told of the client", "post -> IOException");
        }
    }

    /** The jar with DiSNI's other classes merged in, and neither DiSNI's jar nor the modules of this build that the jar is made of. */
    @Test
    void theMergedJarStandsForBoth() throws Exception {
        List<String> command = Program.java(EchoGroups.class, "active", Rxe.IPV4, port, "3");
        int at = command.indexOf("-cp") + 1;
        command.set(at, mergedJar() + File.pathSeparator + others(command.get(at)));
        assertThat(lines(command)).last().isEqualTo("3 connections");
    }

    /** As modules: the merged jar, the libraries, and what they need. */
    @Test
    @Nightly
    void theMergedJarIsAModule() throws Exception {
        List<String> command = Program.java(EchoGroups.class, "active", Rxe.IPV4, port, "3");
        int at = command.indexOf("-cp");
        command.addAll(at, List.of("--module-path", modulePath(), "--add-modules", "ALL-MODULE-PATH"));
        command.set(
                command.indexOf("-cp") + 1, Path.of("target", "test-classes").toString());
        assertThat(lines(command)).last().isEqualTo("3 connections");
    }

    private static String others(String classPath) {
        return String.join(
                File.pathSeparator,
                Stream.of(classPath.split(File.pathSeparator))
                        .filter(path -> !path.matches(".*/(disni-[0-9.]+\\.jar|disni/target/.*)"))
                        .toList());
    }

    private static String modulePath() throws Exception {
        Path modules = Path.of("..", "artifacts", "target", "modules").toAbsolutePath();
        String logger = Program.classPath()
                .filter(path -> path.contains("slf4j-api"))
                .findFirst()
                .orElseThrow();
        return mergedJar() + File.pathSeparator + logger + File.pathSeparator + modules;
    }

    private static Path mergedJar() throws Exception {
        Path target = Path.of("..", "..", "cm-protocol", "disni-all", "target")
                .toAbsolutePath()
                .normalize();
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(
                            file -> file.getFileName().toString().matches("rdma4j-disni-all-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no merged jar in " + target));
        }
    }
}
