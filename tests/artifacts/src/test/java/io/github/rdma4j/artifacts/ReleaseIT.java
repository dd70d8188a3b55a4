// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.artifacts.Published.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A release as a maintainer makes it, but to a folder, and a program that uses what was released. It takes minutes, so it
 * is no part of the ordinary tests: CONTRIBUTING has the command.
 */
@Tag("release")
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReleaseIT {
    /** Takes the version of the list and the plugins. */
    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>user</groupId>
              <artifactId>user</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <dependencyManagement>
                <dependencies>
                  <dependency>
                    <groupId>io.github.rdma4j</groupId>
                    <artifactId>rdma4j-bom</artifactId>
                    <version>%s</version>
                    <type>pom</type>
                    <scope>import</scope>
                  </dependency>
                </dependencies>
              </dependencyManagement>
              <dependencies>
                <dependency>
                  <groupId>io.github.rdma4j</groupId>
                  <artifactId>rdma4j-cm</artifactId>
                </dependency>
              </dependencies>
              <build>
                <plugins>
            %s
                </plugins>
              </build>
            </project>
            """;

    @TempDir
    static Path directory;

    private static Release release;

    @BeforeAll
    static void release() throws Exception {
        release = new Release(directory);
        release.make();
    }

    @AfterAll
    static void endAgent() throws Exception {
        release.endAgent();
    }

    static Stream<Artifact> jars() {
        return Published.JARS.stream();
    }

    static Stream<Artifact> all() {
        return Published.all();
    }

    @Test
    void nothingElseIsInstalledOrDeployed() throws IOException {
        List<String> published = Published.all().map(Artifact::name).toList();

        assertThat(release.installed()).containsExactlyInAnyOrderElementsOf(published);
        assertThat(release.deployed()).containsExactlyInAnyOrderElementsOf(published);
    }

    @ParameterizedTest
    @MethodSource("all")
    void anArtifactHasAllThatMavenCentralAsksFor(Artifact artifact) throws IOException {
        List<String> files = new ArrayList<>(List.of(".pom", "-cyclonedx.json", "-cyclonedx.xml"));
        if (Published.JARS.contains(artifact)) {
            files.addAll(List.of(".jar", "-sources.jar", "-javadoc.jar"));
        }
        if (List.of("rdma4j-uverbs", "rdma4j-nio", "rdma4j-sm").contains(artifact.name())) {
            files.add("-tests.jar");
        }

        assertThat(release.files(artifact).keySet())
                .containsExactlyInAnyOrderElementsOf(files.stream()
                        .flatMap(file -> Stream.of(file, file + ".asc"))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyFileHasAGoodSignature(Artifact artifact) throws Exception {
        for (String name : release.files(artifact).keySet()) {
            if (!name.endsWith(".asc")) {
                release.gpg(
                        "--verify",
                        release.file(artifact, name + ".asc").toString(),
                        release.file(artifact, name).toString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void aPomSaysWhatTheArtifactIsAndWhoMakesIt(Artifact artifact) throws IOException {
        String pom = Files.readString(release.file(artifact, ".pom"));

        assertThat(pom).contains("<name>rdma4j", "<description>");
        if (artifact.name().matches("rdma4j-(parent|bom)")) {
            assertThat(pom)
                    .doesNotContain("<parent>")
                    .contains("<url>https://", "<license>", "<developer>", "<scm")
                    .contains("<connection>scm:git:https://", "<developerConnection>scm:git:git@");
        } else {
            assertThat(pom).containsPattern("<parent>\\s*<groupId>.+</groupId>\\s*<artifactId>rdma4j-parent<");
        }
    }

    /** The versions of JUnit and others that the parent manages are not for those who import the list. */
    @Test
    void theListOfVersionsNamesNothingElse() throws IOException {
        Artifact list = new Artifact("bom", "rdma4j-bom");
        String pom = Files.readString(release.file(list, ".pom")).replace("${project.version}", Published.VERSION);

        assertThat(Pattern.compile("<dependency>\\s*<groupId>(.+?)</groupId>\\s*<artifactId>(.+?)</artifactId>\\s*"
                                + "<version>(.+?)</version>")
                        .matcher(pom)
                        .results()
                        .map(it -> it.group(1) + ":" + it.group(2) + ":" + it.group(3)))
                .containsExactlyInAnyOrderElementsOf(Published.JARS.stream()
                        .map(jar -> "io.github.rdma4j:" + jar.name() + ":" + Published.VERSION)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("jars")
    void theBillOfMaterialsNamesArtifactAndDependencies(Artifact artifact) throws IOException {
        String bill = Files.readString(release.file(artifact, "-cyclonedx.json"));

        assertThat(bill)
                .contains("\"bomFormat\" : \"CycloneDX\"")
                .contains("pkg:maven/io.github.rdma4j/" + artifact.name() + "@" + Published.VERSION);
        // The annotation of the testbed is for tests with JUnit: an optional dependency.
        if (!artifact.name().equals("rdma4j-rxe-testbed")) {
            assertThat(bill)
                    .contains("pkg:maven/com.github.jnr/jnr-ffi@", "pkg:maven/com.github.jnr/jnr-posix@")
                    .doesNotContain("junit");
        }
    }

    /** A user of the merged jar gets the connection manager, and no second copy of what was merged. */
    @Test
    void theMergedJarBringsWhatItNeedsAndNotWhatItContains() throws IOException {
        String pom = Files.readString(release.file(new Artifact("cm-protocol/disni-all", "rdma4j-disni-all"), ".pom"));

        assertThat(pom)
                .containsPattern("<artifactId>rdma4j-cm</artifactId>\\s*</dependency>")
                .containsPattern("<artifactId>rdma4j-disni</artifactId>\\s*<optional>true</optional>")
                .doesNotContain(directory.toString());
    }

    @ParameterizedTest
    @MethodSource("jars")
    void sourcesAndJavadocAreThoseOfTheModule(Artifact artifact) throws IOException {
        String descriptor =
                artifact.name().matches("rdma4j-(testkit|disni.*)") ? "META-INF/MANIFEST.MF" : "module-info.java";
        try (JarFile sources =
                        new JarFile(release.file(artifact, "-sources.jar").toFile());
                JarFile javadoc =
                        new JarFile(release.file(artifact, "-javadoc.jar").toFile())) {
            assertThat(sources.getJarEntry(descriptor)).isNotNull();
            assertThat(sources.stream().filter(entry -> entry.getName().endsWith(".java")))
                    .hasSizeGreaterThan(5);
            assertThat(javadoc.getJarEntry("index.html")).isNotNull();
        }
    }

    /** The ordinary build and the release are of other folders, other times and other time zones. */
    @ParameterizedTest
    @MethodSource("jars")
    void twoBuildsMakeTheSameBytes(Artifact artifact) {
        assertThat(release.jar(artifact))
                .as("the jar of %s, built from a copy; if something is left of an older build, mvn clean", artifact)
                .hasSameBinaryContentAs(artifact.jar(Published.ROOT));
    }

    @Test
    void aProgramUsesTheListOfVersionsAndOneDependency() throws Exception {
        Path program = program();
        release.maven(program, "-o", "compile", "dependency:copy-dependencies");
        Path classes = program.resolve("target/classes");
        Path dependencies = program.resolve("target/dependency");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");

        assertThat(release.run(
                        program,
                        List.of(java.toString(), "--class-path", classes + ":" + dependencies + "/*", "user.Main")))
                .containsPattern("(opened|rdma_cm).* in an unnamed module");
        assertThat(release.run(
                        program,
                        List.of(
                                java.toString(),
                                "--module-path",
                                classes + ":" + dependencies,
                                "--module",
                                "user/user.Main")))
                .containsPattern("(opened|rdma_cm).* in module io.github.rdma4j.cm");
    }

    /** The sources of a program that uses the library, with and without a device. */
    private static Path program() throws IOException {
        Path program = directory.resolve("program");
        Path sources = Files.createDirectories(program.resolve("src/main/java/user"));
        Files.writeString(
                sources.resolveSibling("module-info.java"), "module user { requires io.github.rdma4j.cm; }\n");
        Files.writeString(sources.resolve("Main.java"), """
                package user;

                import io.github.rdma4j.cm.EventChannel;
                import io.github.rdma4j.kernel.RdmaException;

                public final class Main {
                    public static void main(String[] arguments) {
                        String result;
                        try (EventChannel channel = EventChannel.open()) {
                            result = "opened";
                        } catch (RdmaException e) {
                            result = e.getMessage().replace('\\n', ' ');
                        }
                        Module module = EventChannel.class.getModule();
                        System.out.println(result + " in " + (module.isNamed() ? module : "an unnamed module"));
                    }
                }
                """);
        Files.writeString(program.resolve("pom.xml"), POM.formatted(Published.VERSION, plugins()));
        return program;
    }

    /** In the versions of this build, which are in the repository. */
    private static String plugins() throws IOException {
        return Pattern.compile(
                        "<artifactId>maven-(compiler|dependency|resources)-plugin</artifactId>\\s*<version>.+?</version>")
                .matcher(Files.readString(Published.ROOT.resolve("pom.xml")))
                .results()
                .map(MatchResult::group)
                .map(plugin -> "<plugin>" + plugin + "</plugin>")
                .reduce("", String::concat);
    }
}
