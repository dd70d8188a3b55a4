// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a container is asked for, how its end is understood, and when it is refused; no engine is needed. */
class ContainedGuestTest {
    private static GuestSpec spec(String kernel, int nodes, int memory, Testbed.Device device) {
        return new GuestSpec(kernel, nodes, memory, device, Backend.CONTAINER);
    }

    @Test
    void attributesAreOptionsOfTestbedRun() {
        assertThat(ContainedGuest.options(spec("", 1, 0, Testbed.Device.RXE)))
                .containsExactly("--nodes", "1", "--device", "rxe");
        assertThat(ContainedGuest.options(spec("6.12", 2, 512, Testbed.Device.SIW)))
                .containsExactly("--nodes", "2", "--kernel", "6.12", "--memory", "512", "--device", "siw");
        assertThat(ContainedGuest.options(spec("", 1, 0, Testbed.Device.NONE)))
                .containsExactly("--nodes", "1", "--no-rxe");
    }

    @Test
    void whatOnlyQemuHasRunsInQemu() {
        assertThat(ContainerPlace.kind(spec("", 2, 0, Testbed.Device.SIW), Backend.UML))
                .isEqualTo(Backend.UML);
        assertThat(ContainerPlace.kind(spec("7.2", 1, 0, Testbed.Device.RXE), Backend.UML))
                .isEqualTo(Backend.VM);
        assertThat(ContainerPlace.kind(spec("", 1, 0, Testbed.Device.PVRDMA), Backend.UML))
                .isEqualTo(Backend.VM);
    }

    @Test
    void aFailedGuestSaysWhy() {
        String errors = """
                testbed: a note
                output of a test\
                testbed: the last lines of the guest's kernel:
                  | first line
                  | Kernel panic - not syncing
                testbed: the guest's kernel panicked
                and more of it
                """;
        assertThat(ContainedGuest.end(OptionalInt.of(121), errors))
                .isEqualTo(new WorkerPlace.End(
                        "the guest's kernel panicked\nand more of it",
                        List.of("first line", "Kernel panic - not syncing")));
        assertThat(ContainedGuest.end(OptionalInt.of(125), "partial output testbed: no QEMU"))
                .isEqualTo(new WorkerPlace.End("no QEMU", List.of()));
    }

    @Test
    void otherEndsAreThoseOfTheJvmOrOfTheContainer() {
        assertThat(ContainedGuest.end(OptionalInt.of(7), "testbed: a note\n").reason())
                .isEqualTo("the JVM in the guest ended with status 7: did a test call System.exit?");
        assertThat(ContainedGuest.end(OptionalInt.of(121), "output").reason())
                .isEqualTo("the JVM in the guest ended with status 121: did a test call System.exit?");
        assertThat(ContainedGuest.end(OptionalInt.of(137), "").reason())
                .isEqualTo("the JVM in the guest, or its container, ended with status 137");
        assertThat(ContainedGuest.end(OptionalInt.empty(), "").reason())
                .isEqualTo("the container has ended, and the engine does not say how");
    }

    @Test
    void theGuestKeepsItsOwnVariables() {
        assertThat(ContainerPlace.environment(Map.of("HOME", "/home/jane", "RDMA4J_GUEST", "0", "RDMA4J_NODE", "2")))
                .isEqualTo(Map.of("HOME", "/home/jane"));
        assertThat(Stream.of("HOME", "PATH", "JAVA_TOOL_OPTIONS", "RDMA4J_CACHE", "TOKEN", "LANG")
                        .filter(ContainerPlace::isOnlyForTheGuest))
                .containsExactly("HOME", "PATH", "JAVA_TOOL_OPTIONS", "RDMA4J_CACHE");
    }

    @Test
    void filesAreMountedOnce(@TempDir Path directory) throws IOException {
        Path project = Files.createDirectories(directory.resolve("project/target/classes"));
        Path jar = Files.createFile(directory.resolve("a.jar"));
        Set<Path> wanted = new TreeSet<>(
                List.of(directory.resolve("project"), project, jar, directory.resolve("absent.jar"), Path.of("/")));
        assertThat(MountPlan.withoutNested(wanted, List.of())).containsExactly(jar, directory.resolve("project"));
        assertThat(MountPlan.withoutNested(wanted, List.of(jar, directory.resolve("project"))))
                .isEmpty();
    }

    @Test
    void theJdkTheClassPathAndTheAgentsAreMounted(@TempDir Path directory) throws IOException {
        Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Path jar = Files.createFile(directory.resolve("a.jar"));
        Path agent = Files.createFile(directory.resolve("agent.jar"));
        JvmCommand command = new JvmCommand(java, List.of("-javaagent:" + agent + "=output=none"), jar.toString());
        assertThat(MountPlan.of(command, List.of()))
                .containsExactlyInAnyOrder(
                        directory.resolve("jdk"), jar, agent, Path.of("").toAbsolutePath());
    }

    @Test
    void withoutTestcontainersItIsSaidWhatToAdd() {
        assertThatThrownBy(() -> ContainerPlace.requireTestcontainers(ClassLoader.getPlatformClassLoader()))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("add org.testcontainers:testcontainers to the test dependencies");
    }

    /** In a JVM without Testcontainers, so that a class that needs it would be missed. */
    @Test
    void withoutTestcontainersAllElseWorks() throws Exception {
        String classPath = Stream.of(JvmCommand.ofThisProcess().classPath().split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*/(testcontainers|docker-java)[^/]*"))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        WithoutTestcontainers.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output)
                .containsPattern("in a guest: .*successful one test")
                .contains("in a container: tests run in containers (rdma4j.testbed or RDMA4J_TESTBED says so) only with"
                        + " Testcontainers");
    }
}
