// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Downloads and unpacks Debian packages without installing them. It uses separate sources, lists, cache and status of
 * apt, so it needs no root, does not change the machine's apt, and works with any suite. No script of a package runs.
 * apt checks the signature of the suite's index with the machine's key, and the packages with the index.
 */
class AptRoot implements AutoCloseable {
    /** Finds archives. */
    interface Opener {
        /** As {@link AptRoot#open}, for the packages of one architecture. */
        AptRoot open(String suite, DebianMirror mirror, Path target)
                throws TestbedException, IOException, InterruptedException;
    }

    /**
     * Packages to unpack.
     *
     * @param what their name in messages
     * @param starts the packages that lead to the others
     * @param names whether a package of this name is wanted
     */
    record Wanted(String what, List<String> starts, Predicate<String> names) {}

    // Without the machine's hooks, which clean caches that this user cannot write.
    private static final String CONFIGURATION = """
            #clear APT::Update::Pre-Invoke;
            #clear APT::Update::Post-Invoke;
            #clear APT::Update::Post-Invoke-Success;
            #clear DPkg::Post-Invoke;
            APT::Architecture "%2$s";
            APT::Architectures { "%2$s"; };
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
    private final Path kept;
    private final Progress progress;

    /**
     * @param work a directory that {@link #close} removes
     * @param kept a directory for complete packages, for a later attempt
     */
    AptRoot(Path work, Path kept, Progress progress) {
        this.work = work;
        this.kept = kept;
        this.progress = progress;
    }

    /**
     * Reads the index of a suite.
     *
     * @param architecture of the packages, such as {@code amd64}
     * @param target an incomplete directory; the apt root lies beside it
     * @throws UnreachableException if the archive cannot be reached
     */
    static AptRoot open(String suite, String architecture, DebianMirror mirror, Path target, Progress progress)
            throws TestbedException, IOException, InterruptedException {
        Path work = target.resolveSibling(target.getFileName() + "-apt");
        AptRoot root = new AptRoot(work, CacheDirectory.kept(target), progress);
        try {
            root.readIndex(suite, architecture, mirror);
            return root;
        } catch (Tool.FailureException e) {
            root.close();
            throw mirror.isOutOfReach(e.output()) ? new UnreachableException(mirror.uri(), e) : e;
        } catch (TestbedException | IOException | InterruptedException e) {
            root.close();
            throw e;
        }
    }

    /** Unpacks into {@code target} a suite's packages and their direct and indirect dependencies, if they are wanted. */
    static void unpack(String suite, Architecture architecture, Wanted wanted, Path target, Workshop shop)
            throws TestbedException, IOException, InterruptedException {
        DebianMirror mirror = DebianMirror.ofThisMachine(shop.environment());
        try (AptRoot root = open(suite, architecture.debian(), mirror, target, shop.progress())) {
            root.unpack(root.newest(wanted.starts(), wanted.names()), target);
        } catch (UnreachableException e) {
            throw e.wanted(wanted.what() + " of Debian " + suite);
        }
    }

    private void readIndex(String suite, String architecture, DebianMirror mirror)
            throws TestbedException, IOException, InterruptedException {
        Files.createDirectories(work.resolve("state/lists/partial"));
        Files.createDirectories(work.resolve("cache/archives/partial"));
        Files.createFile(work.resolve("status"));
        Files.writeString(work.resolve("debian.sources"), mirror.source(suite));
        Files.writeString(work.resolve("apt.conf"), CONFIGURATION.formatted(work, architecture));
        progress.step("reading the package index of Debian " + suite + " for " + architecture);
        apt("apt-get", "-q", "update");
    }

    /** The newest versions of the first packages and of their dependencies, if they are wanted. */
    List<PinnedPackage> newest(List<String> starts, Predicate<String> wanted)
            throws TestbedException, InterruptedException {
        List<PinnedPackage> found = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>(starts);
        Set<String> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            String name = open.remove();
            String record = apt("apt-cache", "--no-all-versions", "show", name);
            if (wanted.test(name)) {
                found.add(new PinnedPackage(name, field(record, "Version"), field(record, "SHA256")));
            }
            for (String dependency : dependencies(record)) {
                if (wanted.test(dependency) && seen.add(dependency)) {
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

    /**
     * Whether the archive has all of these versions.
     *
     * @throws TestbedException if the archive has a version with another checksum
     */
    boolean has(List<PinnedPackage> pins) throws TestbedException, InterruptedException {
        for (PinnedPackage pin : pins) {
            Optional<String> record = record(pin);
            if (record.isEmpty()) {
                return false;
            }
            pin.check(field(record.get(), "SHA256"));
        }
        return true;
    }

    private Optional<String> record(PinnedPackage pin) throws TestbedException, InterruptedException {
        try {
            return Optional.of(apt("apt-cache", "show", pin.argument())).filter(text -> text.contains("SHA256:"));
        } catch (Tool.FailureException e) {
            // "E: No packages found": apt reports a missing version only as an error.
            return Optional.empty();
        }
    }

    /** Unpacks these packages into {@code target}. */
    void unpack(List<PinnedPackage> packages, Path target) throws TestbedException, IOException, InterruptedException {
        Files.createDirectories(target);
        Path content = target.resolveSibling(target.getFileName() + ".tar");
        for (Path file : download(packages)) {
            progress.step("unpacking " + file.getFileName());
            Tool.filter(List.of("dpkg-deb", "--fsys-tarfile", file.toString()), Path.of("/dev/null"), content);
            // Directories of the target may be links, as in a merged /usr.
            Tool.run(
                    "tar",
                    "-xpf",
                    content.toString(),
                    "-C",
                    target.toString(),
                    "--keep-directory-symlink",
                    "--no-same-owner");
            Files.delete(content);
        }
    }

    private Collection<Path> download(List<PinnedPackage> packages)
            throws TestbedException, IOException, InterruptedException {
        Files.createDirectories(kept);
        List<Path> files = new ArrayList<>();
        for (PinnedPackage wanted : packages) {
            Path file = kept.resolve(wanted.name() + ".deb");
            if (!Files.exists(file) || !CacheSeal.sha256(file).equals(wanted.sha256())) {
                progress.step("downloading " + wanted.name() + " " + wanted.version());
                apt("apt-get", "-q", "download", wanted.argument());
                Files.move(downloaded(), file, StandardCopyOption.REPLACE_EXISTING);
            }
            files.add(file);
        }
        return files;
    }

    private Path downloaded() throws IOException, TestbedException {
        try (Stream<Path> files = Files.list(work)) {
            return files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow(() -> new TestbedException("apt-get download left no package"));
        }
    }

    static String field(String record, String name) {
        return record.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    private String apt(String program, String... arguments) throws TestbedException, InterruptedException {
        // apt reads -c after all files of the machine; apt-get download writes into its working directory.
        List<String> command = new ArrayList<>(List.of(program, "-c", work + "/apt.conf"));
        command.addAll(List.of(arguments));
        return Tool.runIn(work, command);
    }

    @Override
    public void close() throws IOException {
        CacheDirectory.deleteTree(work);
    }

    /**
     * A Debian package with which this project was tested.
     *
     * @param sha256 the checksum of the package's file, in hexadecimal digits
     */
    record PinnedPackage(String name, String version, String sha256) {
        /** The argument of apt for exactly this version. */
        String argument() {
            return name + "=" + version;
        }

        /** Compares a checksum of this name and version with the pinned checksum. */
        void check(String found) throws TestbedException {
            if (!found.equals(sha256)) {
                throw new TestbedException("the archive's package " + name + " " + version
                        + " is not the package that this version of the testbed was tested with: its SHA-256 is "
                        + found
                        + " and not " + sha256 + "; nothing of it was used");
            }
        }
    }

    /** A Debian archive that cannot be reached. */
    static final class UnreachableException extends TestbedException {
        private static final long serialVersionUID = 1L;

        private final String archive;

        UnreachableException(String archive, Throwable cause) {
            super(archive + " cannot be reached", cause);
            this.archive = archive;
        }

        /** The exception to throw if the archive's packages are necessary. */
        TestbedException wanted(String what) {
            return new TestbedException(
                    archive + " cannot be reached, and the cache does not hold what was to be downloaded (" + what
                            + "): run testbed setup where there is a network and take its cache here, in RDMA4J_CACHE,"
                            + " or name an archive that can be reached in RDMA4J_DEBIAN_MIRROR",
                    this);
        }
    }
}
