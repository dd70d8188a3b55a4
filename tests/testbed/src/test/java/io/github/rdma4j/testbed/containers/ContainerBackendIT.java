// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.github.dockerjava.api.model.Container;
import io.github.rdma4j.support.Nightly;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.testcontainers.DockerClientFactory;

/** Tests with {@code @SoftRoce} in the guests of containers. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerBackendIT {
    private final List<String> events = new ArrayList<>();
    private final Map<String, Throwable> failures = new LinkedHashMap<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Runnable atB = () -> {};

    @BeforeAll
    static void anEngineRuns() {
        OwnEngine.require();
    }

    @BeforeEach
    void setProperty() {
        System.setProperty(ContainedSamples.PROPERTY, "set here");
    }

    @AfterEach
    void clearProperty() {
        System.clearProperty(ContainedSamples.PROPERTY);
    }

    /** The containers of this JVM's session of Testcontainers. */
    static List<Container> containers() {
        return containers(DockerClientFactory.SESSION_ID);
    }

    /** The containers of a session of Testcontainers. */
    private static List<Container> containers(String session) {
        return DockerClientFactory.lazyClient()
                .listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL, session))
                .exec();
    }

    private void run(Class<?> type) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(capture);
        System.setErr(capture);
        // The container ends with the session.
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(type))
                                    .build(),
                            new Listener());
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private final class Listener implements TestExecutionListener {
        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.getDisplayName().equals("b()")) {
                atB.run();
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.getParentId().isPresent()) {
                events.add(result.getStatus().name().toLowerCase(Locale.ROOT) + " " + test.getDisplayName());
                result.getThrowable().ifPresent(thrown -> failures.put(test.getDisplayName(), thrown));
            }
        }
    }

    @Test
    void resultsAndOutputAreAsIfTheTestsHadRunHere() {
        run(ContainedSamples.Ordinary.class);

        assertThat(events)
                .as("%s", failures)
                .containsExactly(
                        "successful aTheDeviceIsActive()",
                        "successful bSeesWhatTheCallerSees()",
                        "successful value 1",
                        "failed value 2",
                        "successful cIsParameterised(int)",
                        "successful dOutputOfAChildArrives()",
                        "successful ContainedSamples$Ordinary");
        assertThat(failures.get("value 2"))
                .isExactlyInstanceOf(org.opentest4j.AssertionFailedError.class)
                .hasMessage("expected: <1> but was: <2>")
                .satisfies(thrown -> assertThat(thrown.getStackTrace())
                        .anyMatch(element -> element.getMethodName().equals("cIsParameterised")));
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("home " + System.getenv("HOME") + "\n")
                .contains("cache " + System.getenv("RDMA4J_CACHE") + "\n")
                .contains("property set here\n")
                .contains("directory " + Path.of("").toAbsolutePath() + "\n")
                .contains("to standard error: ä€\n")
                .contains("from a child\n")
                .doesNotContain("kernel " + System.getProperty("os.version") + "\n");
    }

    @Test
    void aContainerThatIsKilledFailsTheTestThatRanAndTheRestRunsInAnother() {
        atB = () -> containers()
                .forEach(container -> DockerClientFactory.lazyClient()
                        .killContainerCmd(container.getId())
                        .exec());

        run(ContainedSamples.Interrupted.class);

        assertThat(events)
                .as("%s", failures)
                .containsExactly(
                        "successful a()", "failed b()", "successful c()", "successful ContainedSamples$Interrupted");
        assertThat(failures.get("b()"))
                .hasMessageContaining("the JVM in the guest, or its container, ended with status 137");
    }

    @Test
    @Nightly
    void aPanicFailsTheTestThatRanWithTheLinesOfTheKernel() {
        run(ContainedSamples.Panicking.class);

        assertThat(events)
                .as("%s", failures)
                .containsExactly("failed a()", "successful b()", "successful ContainedSamples$Panicking");
        assertThat(failures.get("a()"))
                .hasMessageContaining("the guest's kernel panicked")
                .hasMessageContaining("The last lines of the guest's kernel:")
                .hasMessageContaining("sysrq");
    }

    private static Process holder(Class<?> tests, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContainedHolder.class.getName(),
                        tests.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** So that the engine does not end with the other JVM. */
    private static Map<String, String> engineOfThisJvm() throws IOException {
        return OwnEngine.isUsed()
                ? Map.of(
                        OwnEngineStrategy.OF_ANOTHER_JVM,
                        OwnEngine.get().address().toString())
                : Map.of();
    }

    @Test
    @Nightly
    void theContainerEndsWithTheSession() throws Exception {
        Process holder = holder(ContainedSamples.Ordinary.class, engineOfThisJvm());
        try (BufferedReader output = holder.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.lines().toList()).endsWith("left: 0").anyMatch(line -> line.startsWith("kernel "));
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    @Nightly
    void noContainerOutlivesAJvmThatIsKilled() throws Exception {
        Process holder = holder(ContainedSamples.Interrupted.class, engineOfThisJvm());
        try (BufferedReader output = holder.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            while (line != null && !line.startsWith(ContainedHolder.SESSION)) {
                line = output.readLine();
            }
            assertThat(line).isNotNull();
            String session = line.substring(ContainedHolder.SESSION.length());
            assertThat(containers(session)).hasSize(1);

            holder.destroyForcibly();

            while (!containers(session).isEmpty()) {
                Thread.sleep(50);
            }
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    @EnabledIf(value = "theEngineIsOfTheTests", disabledReason = "an engine runs here, so that one is always found")
    void withoutAnEngineTheClassFailsAndSaysWhatToDo(@TempDir Path cache) throws Exception {
        Process holder = holder(ContainedSamples.Interrupted.class, Map.of("RDMA4J_CACHE", cache.toString()));
        try (BufferedReader output = holder.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.lines())
                    .anyMatch(line -> line.startsWith("Testcontainers finds no container engine")
                            && line.contains("start one, for example Docker, or choose another backend"));
        } finally {
            holder.destroyForcibly();
        }
    }

    static boolean theEngineIsOfTheTests() {
        return OwnEngine.isUsed();
    }
}
