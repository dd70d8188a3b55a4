// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.artifacts.Published.Artifact;
import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample project of the testbed, as its user has it: a copy elsewhere, a repository with nothing but the published
 * artifacts, and {@code mvn test}. Its tests run in a guest.
 */
@Nightly
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SampleIT {
    /** Maven looks here before it asks Maven Central. */
    private static final String SETTINGS = """
            <settings>
              <profiles>
                <profile>
                  <id>build</id>
                  <repositories><repository><id>build</id><url>%1$s</url></repository></repositories>
                  <pluginRepositories><pluginRepository><id>build</id><url>%1$s</url></pluginRepository></pluginRepositories>
                </profile>
              </profiles>
              <activeProfiles><activeProfile>build</activeProfile></activeProfiles>
            </settings>
            """;

    @TempDir
    static Path directory;

    private static Path repository;

    /** Puts the published artifacts where {@code mvn install} would, but into a repository of their own. */
    @BeforeAll
    static void install() throws IOException {
        repository = directory.resolve("repository");
        Path build = Path.of(System.getProperty("maven.repo.local"));
        Files.writeString(directory.resolve("settings.xml"), SETTINGS.formatted(build.toUri()));
        for (Artifact artifact : Published.all().toList()) {
            String name = artifact.name() + "-" + Published.VERSION;
            Path place = Files.createDirectories(
                    repository.resolve("io/github/rdma4j/" + artifact.name() + "/" + Published.VERSION));
            Files.copy(Published.ROOT.resolve(artifact.folder()).resolve("pom.xml"), place.resolve(name + ".pom"));
            if (Published.JARS.contains(artifact)) {
                Files.copy(artifact.jar(Published.ROOT), place.resolve(name + ".jar"));
            }
        }
    }

    private static Path copyOfTheSample(String name) throws IOException {
        Path sample = Published.ROOT.resolve("rxe-testbed/sample");
        Path copy = directory.resolve(name);
        try (Stream<Path> files = Files.walk(sample)) {
            for (Path file : files.filter(file -> !sample.relativize(file).startsWith("target"))
                    .toList()) {
                Files.copy(file, copy.resolve(sample.relativize(file).toString()));
            }
        }
        return copy;
    }

    private static Tool.Result test(Path sample, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-Dstyle.color=never",
                "-s",
                directory.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + repository));
        command.addAll(List.of(arguments));
        command.add("test");
        return Tool.run(sample, Map.of("JAVA_HOME", System.getProperty("java.home")), command);
    }

    private static String report(Path sample) throws IOException {
        return Files.readString(sample.resolve("target/surefire-reports/TEST-sample.EchoTest.xml"));
    }

    @Test
    void theTestsOfTheSamplePass() throws Exception {
        Path sample = copyOfTheSample("passes");

        String output = test(sample).success();

        // The fourth is the one that fails on purpose.
        assertThat(output)
                .contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 1")
                .contains("BUILD SUCCESS");
        assertThat(report(sample)).contains("name=\"whatIsSentComesBack(long, SoftRoceDevice)[1]\"", "[2]\"", "[3]\"");
    }

    @Test
    void aFailureLooksAsIfTheTestHadRunHere() throws Exception {
        Path sample = copyOfTheSample("fails on purpose, in a directory with blanks");

        Tool.Result result = test(sample, "-Dsample.fail=true");

        assertThat(result.status()).as(result.output()).isEqualTo(1);
        assertThat(result.output())
                .contains("Tests run: 4, Failures: 1, Errors: 0, Skipped: 0")
                .contains("EchoTest.failsOnPurpose:45 expected: <43> but was: <42>");
        assertThat(report(sample))
                .contains("<failure message=\"expected: &lt;43&gt; but was: &lt;42&gt;\"")
                .contains("type=\"org.opentest4j.AssertionFailedError\"")
                .contains("at sample.EchoTest.failsOnPurpose(EchoTest.java:45)");
    }
}
