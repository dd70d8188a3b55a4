// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.artifacts.Published.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The jars of this build as users get them. {@link ReleaseIT} makes a whole release, which takes longer. */
class PublishedIT {
    static Stream<Artifact> jars() {
        return Published.JARS.stream();
    }

    private static JarFile open(Artifact artifact) throws IOException {
        return new JarFile(artifact.jar(Published.ROOT).toFile());
    }

    @ParameterizedTest
    @MethodSource("jars")
    void aJarSaysWhatItIsAndIsTheSameFromEveryBuild(Artifact artifact) throws IOException {
        try (JarFile jar = open(artifact)) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .isEqualTo(Published.VERSION);
            assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_TITLE)).startsWith("rdma4j ");
            if (artifact.name().startsWith("rdma4j-disni")) {
                // No module can have the packages of DiSNI's jar.
                assertThat(manifest.getValue("Automatic-Module-Name")).isEqualTo("io.github.rdma4j.disni");
            } else {
                assertThat(jar.getJarEntry("module-info.class")).isNotNull();
            }
            JarEntry licence = jar.getJarEntry("META-INF/LICENSE");
            assertThat(licence).isNotNull();
            assertThat(jar.getInputStream(licence))
                    .hasSameContentAs(Files.newInputStream(Published.ROOT.resolve("LICENSE")));
            // The sources declare a type of JDK 22 for the compiler of JDK 17, and the declaration must not meet the
            // JDK's own.
            assertThat(jar.stream().map(JarEntry::getName)).noneMatch(name -> name.startsWith("java/"));
            // Times of this build would make another build's jar differ.
            String time = element(Published.ROOT.resolve("pom.xml"), "project.build.outputTimestamp");
            assertThat(jar.stream()
                            .filter(entry -> !isOfDisni(artifact, entry))
                            .map(entry -> entry.getTimeLocal().truncatedTo(ChronoUnit.MINUTES))
                            .distinct())
                    .containsExactly(
                            OffsetDateTime.parse(time).toLocalDateTime().truncatedTo(ChronoUnit.MINUTES));
        }
    }

    /** The merged jar has DiSNI's classes with the times of DiSNI's jar, which never change. */
    private static boolean isOfDisni(Artifact artifact, JarEntry entry) {
        return artifact.name().equals("rdma4j-disni-all") && entry.getName().startsWith("com/ibm/");
    }

    @Test
    void theMergedJarHasDisnisLicenceAndNoneOfItsNativeCalls() throws IOException {
        Artifact merged = new Artifact("cm-protocol/disni-all", "rdma4j-disni-all");
        try (JarFile jar = open(merged)) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .contains("META-INF/NOTICE", "META-INF/disni/LICENSE", "META-INF/disni/AUTHORS")
                    .contains("com/ibm/disni/RdmaEndpoint.class", "com/ibm/disni/verbs/impl/RdmaProviderNat.class")
                    .noneMatch(name -> name.contains("NativeDispatcher"));
        }
    }

    /** Whichever JDK made the jar. */
    @Test
    void segmentsCanBeRegistered() throws IOException {
        try (JarFile jar = open(new Artifact("uverbs-ioctl/verbs", "rdma4j-uverbs"))) {
            assertThat(jar.getJarEntry("io/github/rdma4j/verbs/SegmentMemory.class"))
                    .isNotNull();
        }
    }

    @Test
    void theCommandLineMayUseNativeCode() throws IOException {
        Artifact commandLine = new Artifact("cli/rdma4j", "rdma4j-cli");

        try (JarFile jar = open(commandLine)) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Enable-Native-Access"))
                    .isEqualTo("ALL-UNNAMED");
        }
    }

    @Test
    void theListOfVersionsHasEveryJar() throws IOException {
        String list = Files.readString(Published.ROOT.resolve("bom/pom.xml"));

        assertThat(Pattern.compile("<dependency>\\s*<groupId>.+?</groupId>\\s*<artifactId>(.+?)</artifactId>")
                        .matcher(list)
                        .results()
                        .map(dependency -> dependency.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        Published.JARS.stream().map(Artifact::name).toList());
    }

    @Test
    void everyOtherModuleIsNeitherInstalledNorDeployed() throws IOException {
        List<String> others = Published.others();

        assertThat(others).contains("tests", "tests/artifacts");
        for (String module : others) {
            Path own = Published.ROOT.resolve(module).resolve("pom.xml");
            boolean inherits = Files.readString(own).contains("<artifactId>rdma4j-tests</artifactId>");
            Path pom = inherits ? Published.ROOT.resolve("tests/pom.xml") : own;
            assertThat(element(pom, "maven.install.skip")).as(module).isEqualTo("true");
            assertThat(element(pom, "maven.deploy.skip")).as(module).isEqualTo("true");
        }
    }

    /** As docs/jfr.md says. */
    @Test
    void theSettingsOfTheFlightRecorderComeOutOfTheJar(@TempDir Path directory) throws Exception {
        Path jar = new Artifact("uverbs-ioctl/verbs", "rdma4j-uverbs").jar(Published.ROOT);
        Path tools = Path.of(System.getProperty("java.home"), "bin");
        Path program = Files.writeString(
                directory.resolve("Main.java"), "class Main { public static void main(String[] arguments) {} }");

        Tool.run(directory, Map.of(), List.of(tools + "/jar", "--extract", "--file", jar + "", "META-INF/rdma4j.jfc"))
                .success();
        String recording = "settings=META-INF/rdma4j.jfc,filename=rdma4j.jfr";
        Tool.run(directory, Map.of(), List.of(tools + "/java", "-XX:StartFlightRecording=" + recording, program + ""))
                .success();

        assertThat(directory.resolve("rdma4j.jfr")).isNotEmptyFile();
    }

    private static String element(Path pom, String name) throws IOException {
        String text = Files.readString(pom);
        int start = text.indexOf("<" + name + ">");
        assertThat(start).as("%s in %s", name, pom).isPositive();
        return text.substring(start + name.length() + 2, text.indexOf("</" + name + ">"));
    }
}
