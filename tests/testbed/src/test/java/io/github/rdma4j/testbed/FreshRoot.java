// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.DebianMirror;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A minimal Debian in which the launcher has installed the packages of one command after the other, as root; it is gone
 * when this has been made, and only what was found in it is left. Root makes it with chroot(2), others in a user namespace.
 *
 * @param facts the lines that {@code install-in-fresh-root} wrote
 */
record FreshRoot(List<String> facts) {
    private static final String SUITE = "bookworm";
    private static final int LIMIT_MINUTES = 15;

    /** What an ordinary user lacks if user namespaces are refused. */
    private static final String WITHOUT_ROOT = """
            mmdebstrap makes the fresh root. Without being root it needs Debian's uidmap, lines for this user in \
            /etc/subuid and /etc/subgid (adduser makes them), and a kernel that lets users have namespaces.
            """;

    /** Makes the root, and runs the launcher's install command in it. */
    static FreshRoot make(Path directory) throws Exception {
        // In a user namespace mmdebstrap and its hook are somebody else, so everybody has to be able to read these.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path project = Path.of("../..").toRealPath();
        Path hook = readableCopy(Path.of("src/test/launcher/install-in-fresh-root"), directory);
        readableCopy(project.resolve("rdma4j"), directory);
        readableCopy(project.resolve("pom.xml"), directory);
        Path sources = Files.writeString(
                directory.resolve("debian.sources"),
                DebianMirror.ofThisMachine(System.getenv()).source(SUITE));
        Path options = Files.writeString(directory.resolve("apt.conf"), wayToTheArchive());
        Path facts = Files.createFile(directory.resolve("facts"));
        Files.setPosixFilePermissions(facts, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(command(hook, sources, options))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new AssertionError(WITHOUT_ROOT + "It failed here:\n" + Files.readString(log));
            }
        } finally {
            // It removes what it has made when it is asked to end.
            process.destroy();
            process.waitFor();
        }
        return new FreshRoot(Files.readAllLines(facts));
    }

    private static List<String> command(Path hook, Path sources, Path aptOptions) throws Exception {
        // As root, mmdebstrap mounts /proc where every process sees it, and a process that looks at it keeps it from
        // being unmounted.
        List<String> maker = Tool.run("id", "-u").strip().equals("0")
                ? List.of("unshare", "--mount", "mmdebstrap", "--mode=root")
                : List.of("mmdebstrap", "--mode=unshare");
        List<String> options = List.of(
                "--variant=minbase",
                "--include=ca-certificates",
                "--format=null",
                "--aptopt=" + aptOptions,
                "--dpkgopt=force-unsafe-io",
                "--customize-hook=" + hook,
                SUITE,
                "/dev/null",
                sources.toString());
        return Stream.concat(maker.stream(), options.stream()).toList();
    }

    /** The lines of this machine's apt configuration without which its archive may be out of reach. */
    private static String wayToTheArchive() throws Exception {
        return Tool.run("apt-config", "dump", "Acquire")
                .lines()
                .filter(line -> line.matches("Acquire::(https?::Proxy|Check-(Valid-Until|Date)) .*"))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static Path readableCopy(Path file, Path directory) throws IOException {
        Path copy = Files.copy(file, directory.resolve(file.getFileName()));
        String permissions = Files.isExecutable(file) ? "rwxr-xr-x" : "rw-r--r--";
        return Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(permissions));
    }

    /** The packages that are installed after the step. */
    Set<String> packages(String step) {
        return found(step, "package");
    }

    /** The links in the directories of systemd and init that are there after the step and were not in the fresh root. */
    Set<String> newlyEnabled(String step) {
        Set<String> enabled = found(step, "enabled");
        enabled.removeAll(found("fresh", "enabled"));
        return enabled;
    }

    /** What packages asked to be started. */
    Set<String> started(String step) {
        return found(step, "started");
    }

    private Set<String> found(String step, String kind) {
        String start = step + " " + kind + " ";
        return facts.stream()
                .filter(fact -> fact.startsWith(start))
                .map(fact -> fact.substring(start.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
