// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Downloads Debian packages and unpacks them without installing them, with an apt root of its own: own sources, lists,
 * cache and status, so neither root nor a change to the machine's apt is needed and any suite will do. No script of a
 * package runs. apt checks the signature of the suite's index with the machine's key, and the packages against that index.
 */
final class AptRoot {
    // Without the machine's hooks, which clean caches that are not ours to write.
    private static final String CONFIGURATION = """
            #clear APT::Update::Pre-Invoke;
            #clear APT::Update::Post-Invoke;
            #clear APT::Update::Post-Invoke-Success;
            #clear DPkg::Post-Invoke;
            APT::Architecture "amd64";
            APT::Architectures { "amd64"; };
            APT::Sandbox::User "";
            APT::Update::Error-Mode "any";
            APT::Get::AllowUnauthenticated "false";
            Acquire::AllowInsecureRepositories "false";
            Acquire::Languages "none";
            Acquire::Retries "3";
            Dir::State "%1$s/state";
            Dir::State::status "%1$s/status";
            Dir::Cache "%1$s/cache";
            Dir::Etc::SourceList "%1$s/debian.sources";
            Dir::Etc::SourceParts "/dev/null";
            Dir::Etc::Preferences "/dev/null";
            Dir::Etc::PreferencesParts "/dev/null";
            """;

    private final Path work;
    private final Progress progress;

    private AptRoot(Path work, Progress progress) {
        this.work = work;
        this.progress = progress;
    }

    /**
     * Leaves in {@code target} the files of a suite's package and of those packages it depends on, directly or not, that
     * {@code wanted} names.
     */
    static void unpack(
            String suite,
            String start,
            Predicate<String> wanted,
            Map<String, String> environment,
            Path target,
            Progress progress)
            throws TestbedException, IOException, InterruptedException {
        Path work = target.resolveSibling(target.getFileName() + "-apt");
        CacheDirectory.deleteTree(work);
        try {
            AptRoot root = new AptRoot(work, progress);
            root.readIndex(suite, DebianMirror.ofThisMachine(environment));
            root.download(root.reachable(start, wanted));
            root.unpackInto(target);
        } finally {
            CacheDirectory.deleteTree(work);
        }
    }

    private void readIndex(String suite, DebianMirror mirror)
            throws TestbedException, IOException, InterruptedException {
        Files.createDirectories(work.resolve("state/lists/partial"));
        Files.createDirectories(work.resolve("cache/archives/partial"));
        Files.createFile(work.resolve("status"));
        Files.writeString(work.resolve("debian.sources"), mirror.source(suite));
        Files.writeString(work.resolve("apt.conf"), CONFIGURATION.formatted(work));
        progress.step("reading the package index of Debian " + suite);
        apt("apt-get", "-q", "update");
    }

    private Set<String> reachable(String start, Predicate<String> wanted)
            throws TestbedException, InterruptedException {
        Set<String> found = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        if (wanted.test(start)) {
            found.add(start);
        }
        while (!open.isEmpty()) {
            String record = apt("apt-cache", "--no-all-versions", "show", open.remove());
            for (String dependency : dependencies(record)) {
                if (wanted.test(dependency) && found.add(dependency)) {
                    open.add(dependency);
                }
            }
        }
        return found;
    }

    static List<String> dependencies(String record) {
        return record.lines()
                .filter(line -> line.startsWith("Depends:"))
                .flatMap(line -> Stream.of(line.substring("Depends:".length()).split("[,|]")))
                .map(dependency -> dependency.strip().replaceAll("[\\s(:].*", ""))
                .toList();
    }

    private void download(Set<String> names) throws TestbedException, InterruptedException {
        for (String name : names) {
            progress.step("downloading " + name);
            apt("apt-get", "-q", "download", name);
        }
    }

    private void unpackInto(Path target) throws TestbedException, IOException, InterruptedException {
        Files.createDirectories(target);
        for (Path file : packages()) {
            progress.step("unpacking " + file.getFileName());
            Tool.run("dpkg-deb", "-x", file.toString(), target.toString());
            Files.delete(file);
        }
    }

    private List<Path> packages() throws IOException {
        try (Stream<Path> files = Files.list(work)) {
            return files.filter(file -> file.toString().endsWith(".deb")).toList();
        }
    }

    private String apt(String program, String... arguments) throws TestbedException, InterruptedException {
        // apt-get download writes into its working directory; -c is read after every file of the machine's own.
        String script = "cd \"$1\" && shift && exec \"$@\"";
        Stream<String> start = Stream.of("sh", "-c", script, "sh", work.toString(), program, "-c", work + "/apt.conf");
        return Tool.run(Stream.concat(start, Stream.of(arguments)).toArray(String[]::new));
    }
}
