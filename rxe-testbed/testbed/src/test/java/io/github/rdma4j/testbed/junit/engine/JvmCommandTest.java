// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JvmCommandTest {
    @Test
    void optionsThatTestsNoticeAreTakenOver() {
        assertThat(JvmCommand.takenOver(List.of(
                        "-ea",
                        "-Da=b",
                        "-Xmx512m",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-XX:+UseG1GC",
                        "-Djdk.module.main=x",
                        "-agentlib:jdwp=transport=dt_socket,server=y")))
                .containsExactly("-ea", "-Da=b", "-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED");
    }

    @Test
    void theAgentInTheGuestKeepsItsCounts() {
        assertThat(Coverage.agentOption(List.of(
                        "-ea", "-javaagent:/x/org.jacoco.agent.jar=destfile=/y/jacoco.exec,append=true,includes=a.*")))
                .contains("-javaagent:/x/org.jacoco.agent.jar=includes=a.*,output=none");
        assertThat(Coverage.agentOption(List.of("-javaagent:/x/idea_rt.jar=1234")))
                .as("another agent")
                .isEmpty();
    }

    @Test
    void agentsThatAreLeftOutAreTold() {
        assertThat(JvmCommand.agentsLeftOut(List.of(
                        "-ea",
                        "-javaagent:/x/org.jacoco.agent.jar=destfile=/y",
                        "-agentlib:jdwp=transport=dt_socket",
                        "-javaagent:/x/mockito-core.jar",
                        "-agentpath:/x/lib.so=y")))
                .containsExactly("-javaagent:/x/mockito-core.jar", "-agentpath:/x/lib.so=y");
    }

    @Test
    void whatPatchesAModuleIsOnTheClassPath() {
        assertThat(JvmCommand.classPath(List.of("-ea", "--patch-module=some.module=/x/test-classes:/y")))
                .startsWith("/x/test-classes:/y:");
    }

    @Test
    void propertiesOfProgramsAreForwardedAndThoseOfTheJvmAreNot() {
        List<String> names = List.of(
                "user.timezone", "file.root", "os.images", "sun.net.inetaddr.ttl", "java.net.preferIPv4Stack", "jdk.x");
        Map<String, String> before = JvmCommand.systemProperties();
        names.forEach(name -> System.setProperty(name, "of a program"));
        try {
            assertThat(JvmCommand.systemProperties()).containsKeys(names.toArray(String[]::new));
            assertThat(JvmCommand.systemProperties())
                    .doesNotContainKeys(
                            "java.version",
                            "java.version.date",
                            "java.vm.name",
                            "java.home",
                            "java.class.path",
                            "java.class.version",
                            "java.vendor.url",
                            "os.name",
                            "os.version",
                            "file.encoding",
                            "sun.arch.data.model",
                            "sun.java.command",
                            "user.name");
        } finally {
            names.forEach(System::clearProperty);
            before.forEach(System::setProperty);
        }
    }

    @Test
    void aGuestThatIsUsedAgainHasThePropertiesOfItsCaller() throws InterruptedException {
        String name = Samples.Property.NAME;
        LocalRun.closeIdle(LocalRun.WORKERS);
        int starts = LocalRun.PLACE.starts();
        System.setProperty(name, "first");
        try {
            assertThat(propertyInTheGuest()).isEqualTo("first");
        } finally {
            System.clearProperty(name);
        }
        assertThat(propertyInTheGuest()).isEqualTo("null");
        assertThat(LocalRun.PLACE.starts()).isEqualTo(starts + 1);
        LocalRun.closeIdle(LocalRun.WORKERS);
    }

    private static @Nullable String propertyInTheGuest() {
        return LocalRun.of(request -> request.selectors(selectClass(Samples.Property.class)))
                .entries
                .get(0)
                .get(Samples.Property.NAME);
    }

    /** Longer than one word of a command may be. */
    @Test
    void aLongClassPathReachesTheGuest() throws InterruptedException {
        JvmCommand ofThisProcess = JvmCommand.ofThisProcess();
        String absent = ":/absent/with a \"quote\" and a \\ and an ü" + "x".repeat(200);
        String classPath = ofThisProcess.classPath() + absent.repeat(1_000);
        Workers workers = new Workers(
                LocalRun.PLACE, () -> new JvmCommand(ofThisProcess.java(), ofThisProcess.options(), classPath));
        LocalRun run = LocalRun.of(workers, request -> request.selectors(selectClass(Samples.Property.class)));
        LocalRun.closeIdle(workers);
        assertThat(run.failures).isEmpty();
        assertThat(run.entries.get(0)).containsEntry("class path", classPath);
    }
}
