// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import io.github.rdma4j.artifacts.Published.Artifact;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A release of a copy of the sources to a folder, signed with a key of its own. The copy lies elsewhere than the sources,
 * and the build runs in another time zone: none of that may show in a jar.
 */
final class Release {
    private static final String GROUP = "io/github/rdma4j";

    /** The modules whose test classes are published for the modules above; the others need no tests for a release. */
    private static final List<Path> WITH_TESTS = List.of(Path.of("mcast-sm-client"));

    private final Path directory;
    private final Path sources;
    private final Path staging;
    private final Path repository;
    private final Map<String, String> environment;

    Release(Path directory) throws IOException {
        this.directory = directory;
        sources = directory.resolve("sources");
        staging = directory.resolve("staging");
        repository = directory.resolve("repository");
        Path keys = Files.createDirectory(
                directory.resolve("keys"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        environment = Map.of(
                "GNUPGHOME", keys.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                "TZ", "Pacific/Kiritimati");
    }

    /** Releases what is published, and tries to release the rest. */
    void make() throws IOException, InterruptedException {
        copy(Published.ROOT, sources, Release::isNoSource);
        // What the build depends on, and nothing that it makes: whatever is there in the end was installed.
        copy(Path.of(System.getProperty("maven.repo.local")), repository, Path.of(GROUP)::equals);
        gpg("--passphrase", "", "--quick-generate-key", "test <test@localhost>", "ed25519", "sign", "never");
        maven(
                sources,
                "-Prelease",
                "-DskipTests",
                "-pl",
                "bom,cli/rdma4j,rxe-testbed/model,uverbs-ioctl/netty,cm-protocol/netty,cm-protocol/nio,cm-protocol/disni-all",
                "-am",
                "deploy");
        maven(sources, "-pl", String.join(",", Published.others()), "install:install", "deploy:deploy");
    }

    private static boolean isNoSource(Path folder) {
        boolean tests = folder.endsWith("src/test") && WITH_TESTS.stream().noneMatch(folder::startsWith);
        return tests || folder.endsWith("target") || folder.endsWith(".git");
    }

    private static void copy(Path from, Path to, Predicate<Path> isLeftOut) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (isLeftOut.test(from.relativize(folder))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The jar that was built from the copy. */
    Path jar(Artifact artifact) {
        return artifact.jar(sources);
    }

    /** Runs Maven with the repository and the folder of this release. */
    void maven(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-Dmaven.repo.local=" + repository,
                "-DaltDeploymentRepository=staging::" + staging.toUri()));
        command.addAll(List.of(arguments));
        run(folder, command);
    }

    String gpg(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("gpg", "--batch", "--pinentry-mode", "loopback"));
        command.addAll(List.of(arguments));
        return run(directory, command);
    }

    String run(Path folder, List<String> command) throws IOException, InterruptedException {
        return Tool.run(folder, environment, command).success();
    }

    /** The names of the artifacts that were installed. */
    List<String> installed() throws IOException {
        return names(repository.resolve(GROUP));
    }

    /** The names of the artifacts that were deployed. */
    List<String> deployed() throws IOException {
        return names(staging.resolve(GROUP));
    }

    private static List<String> names(Path group) throws IOException {
        try (Stream<Path> artifacts = Files.list(group)) {
            return artifacts
                    .filter(Files::isDirectory)
                    .map(artifact -> artifact.getFileName().toString())
                    .toList();
        }
    }

    /** The deployed files of an artifact by what follows the version in their names, without checksums. */
    Map<String, Path> files(Artifact artifact) throws IOException {
        // The name of a snapshot has the time of its deployment.
        Pattern name = Pattern.compile(
                Pattern.quote(artifact.name()) + "-\\d+\\.\\d+\\.\\d+(?:-\\d{8}\\.\\d{6}-\\d+)?([-.].+)");
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(staging.resolve(GROUP).resolve(artifact.name()))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Matcher matcher = name.matcher(file.getFileName().toString());
                if (matcher.matches() && !matcher.group(1).matches(".+\\.(md5|sha\\d+)")) {
                    files.put(matcher.group(1), file);
                }
            }
        }
        return files;
    }

    /** The deployed file of an artifact whose name ends so. */
    Path file(Artifact artifact, String ending) throws IOException {
        Path file = files(artifact).get(ending);
        if (file == null) {
            throw new AssertionError("no " + artifact + ending);
        }
        return file;
    }

    /** Ends the agent that signed, which holds files in the folder. */
    void endAgent() throws IOException, InterruptedException {
        run(directory, List.of("gpgconf", "--kill", "all"));
    }
}
