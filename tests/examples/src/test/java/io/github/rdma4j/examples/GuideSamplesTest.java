// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The samples of the guide are pieces of the sources of this package, and the files and methods that the guide names exist.
 */
class GuideSamplesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path GUIDE = ROOT.resolve("docs/guide");
    private static final Path INDEX = GUIDE.resolve("README.md");

    private static final Path API = ROOT.resolve("docs/api.txt");
    private static final Pattern MEMBER = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)[^`]*`");
    private static final Pattern HEAD = Pattern.compile("""
            # (?s:(?:(?!\\n#).)*?)
            ```sh
            mvn -DskipTests -Dmaven.test.skip -pl bom,(?<modules>\\S+) -am install \
                # in a checkout of rdma4j, until it is on Maven Central
            ```

            ```xml
            <dependencyManagement><dependencies><dependency>
              <groupId>io.github.rdma4j</groupId><artifactId>rdma4j-bom</artifactId><version>(?<version>\\S+)</version>
              <type>pom</type><scope>import</scope>
            </dependency></dependencies></dependencyManagement>
            <dependencies><dependency>
              <groupId>io.github.rdma4j</groupId><artifactId>(?<artifact>\\S+)</artifactId>
            </dependency></dependencies>
            ```
            """);

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(GUIDE)) {
            List<Path> pages = files.sorted().toList();
            assertThat(pages).contains(INDEX).hasSizeGreaterThanOrEqualTo(9);
            return pages;
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void samplesArePartsOfSourcesThatAreCompiled(Path page) throws IOException {
        List<String> samples = Samples.inMarkdown(page);
        if (!page.equals(INDEX)) {
            assertThat(samples).isNotEmpty();
        }
        assertThat(samples).allSatisfy(sample -> Samples.assertPartOf(Samples.sources(), sample));
    }

    /** Every page can be the first that somebody reads: before its first section it says how to get what it is about. */
    @ParameterizedTest
    @MethodSource("pages")
    void beginsWithHowToGetTheArtifact(Path page) throws IOException {
        if (page.equals(INDEX)) {
            return;
        }
        Matcher head = HEAD.matcher(Files.readString(page));
        assertThat(head.lookingAt())
                .as("%s begins with two blocks as nio.md does", page)
                .isTrue();
        String version = head.group("version");
        assertThat(Files.readString(ROOT.resolve("pom.xml"))).contains("<version>" + version + "</version>");
        String artifact = "<artifactId>" + head.group("artifact") + "</artifactId>";
        assertThat(Files.readString(ROOT.resolve("bom/pom.xml"))).contains(artifact);
        assertThat(head.group("modules").split(","))
                .anySatisfy(module -> assertThat(Files.readString(ROOT.resolve(module + "/pom.xml"))
                                .replaceFirst("(?s)<dependencies>.*", ""))
                        .contains(artifact));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void namesOfMembersExist(Path page) throws Exception {
        // The guide is about the libraries; the testbed has types of the same names.
        Map<String, String> types = Files.readAllLines(API).stream()
                .filter(type -> !type.startsWith("io.github.rdma4j.testbed."))
                .collect(Collectors.toMap(type -> type.substring(type.lastIndexOf('.') + 1), Function.identity()));
        Matcher name = MEMBER.matcher(Files.readString(page));
        while (name.find()) {
            String type = types.get(name.group(1));
            if (type != null) {
                assertThat(members(Class.forName(type))).as(name.group()).contains(name.group(2));
            }
        }
    }

    private static Set<String> members(Class<?> type) {
        return Stream.of(type.getMethods(), type.getFields(), type.getClasses())
                .flatMap(Stream::of)
                .map(member -> member instanceof Class<?> nested ? nested.getSimpleName() : ((Member) member).getName())
                .collect(Collectors.toSet());
    }

    @Test
    void theIndexNamesEveryPage() throws IOException {
        String index = Files.readString(INDEX);
        assertThat(pages())
                .filteredOn(page -> !page.equals(INDEX))
                .allSatisfy(page -> assertThat(index).contains("(" + page.getFileName() + ")"));
    }

    @Test
    void theSampleWithoutADeviceRuns() throws Exception {
        assertThat(GuideSamples.connectsWithoutADevice()).isTrue();
    }
}
