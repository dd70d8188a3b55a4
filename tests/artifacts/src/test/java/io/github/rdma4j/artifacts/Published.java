// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What reaches users by way of Maven Central. */
final class Published {
    /** The top of the sources that this test belongs to. */
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    static final String VERSION = System.getProperty("rdma4j.version");

    /** The artifacts with a jar. */
    static final List<Artifact> JARS = List.of(
            new Artifact("uverbs-ioctl/kernel", "rdma4j-kernel"),
            new Artifact("uverbs-ioctl/verbs", "rdma4j-uverbs"),
            new Artifact("uverbs-ioctl/cards", "rdma4j-cards"),
            new Artifact("uverbs-ioctl/netty", "rdma4j-netty"),
            new Artifact("cm-protocol", "rdma4j-cm"),
            new Artifact("cm-protocol/rsocket", "rdma4j-rsocket"),
            new Artifact("cm-protocol/nio", "rdma4j-nio"),
            new Artifact("cm-protocol/netty", "rdma4j-netty-transport"),
            new Artifact("cm-protocol/disni", "rdma4j-disni"),
            new Artifact("cm-protocol/disni-all", "rdma4j-disni-all"),
            new Artifact("mcast-sm-client", "rdma4j-sm"),
            new Artifact("rxe-testbed/testbed", "rdma4j-rxe-testbed"),
            new Artifact("cli/rdma4j", "rdma4j-cli"),
            new Artifact("rxe-testbed/testkit", "rdma4j-testkit"),
            new Artifact("rxe-testbed/model", "rdma4j-testkit-model"));

    /** The artifacts that are a POM and nothing else. */
    static final List<Artifact> POMS = List.of(new Artifact("", "rdma4j-parent"), new Artifact("bom", "rdma4j-bom"));

    private Published() {}

    static Stream<Artifact> all() {
        return Stream.concat(JARS.stream(), POMS.stream());
    }

    /** The modules that must be left out. */
    static List<String> others() throws IOException {
        List<String> published = all().map(Artifact::folder).toList();
        return Pattern.compile("<module>([^<]+)</module>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .filter(module -> !published.contains(module))
                .toList();
    }

    /** An artifact, and the folder of its module. */
    record Artifact(String folder, String name) {
        /** The jar that a build of the sources in {@code root} makes. */
        Path jar(Path root) {
            // The command line's has no version in its name, so that java -jar always finds it.
            String file = name.equals("rdma4j-cli") ? name : name + "-" + VERSION;
            return root.resolve(folder).resolve("target").resolve(file + ".jar");
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
