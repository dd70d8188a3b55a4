// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The kernel of User Mode Linux as a file that can be passed on: the files of the cache entry, the licence, an offer of
 * the source, and checksums. The same entry makes the same archive on every machine.
 */
public final class UmlArchive {
    static final Path LICENCE = Path.of("/usr/share/common-licenses/GPL-2");

    private static final String SUMS = "SHA256SUMS";
    private static final String COPYING = "COPYING";
    private static final String OFFER = "SOURCE";
    private static final Set<String> ADDED = Set.of(SUMS, COPYING, OFFER);
    private static final int SUM_DIGITS = 64;

    /** Much more than the size of the kernel and its modules. */
    private static final long MOST_BYTES = 200L << 20;

    /** The earliest time of the format. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private UmlArchive() {}

    /** The name of the archive that belongs to this version of the testbed. */
    public static String name() {
        return "rdma4j-" + UmlKernel.entry() + "-amd64.zip";
    }

    /**
     * Writes the archive, and a file with its checksum beside it.
     *
     * @param contact the person who passes the archive on, and the address for requests of the source
     * @return the archive
     */
    public static Path write(CacheDirectory cache, Path directory, String contact, Progress progress)
            throws TestbedException, InterruptedException {
        if (!UmlKernel.isIn(cache)) {
            throw new TestbedException("the kernel of User Mode Linux is not in the cache " + cache.root()
                    + ". Build it: ./rdma4j testbed setup --on uml");
        }
        Path entry = UmlKernel.valid(cache, true, progress);
        Path archive = directory.resolve(name());
        try {
            Files.createDirectories(directory);
            Path part = Files.createTempFile(directory, ".archive", ".part");
            try {
                zip(files(entry, contact), part);
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r--r--"));
                Files.writeString(sumFile(archive), CacheSeal.sha256(part) + "  " + name() + "\n");
                Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
            return archive;
        } catch (IOException e) {
            throw new TestbedException("cannot write " + archive + ": " + e, e);
        }
    }

    private static Path sumFile(Path archive) {
        return archive.resolveSibling(archive.getFileName() + ".sha256");
    }

    private static SortedMap<String, byte[]> files(Path entry, String contact) throws IOException, TestbedException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(entry)) {
            for (Path file : tree.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                files.put(entry.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        files.keySet().removeIf(name -> name.startsWith("."));
        if (!Files.isReadable(LICENCE)) {
            throw new TestbedException("the archive needs the text of the licence, " + LICENCE
                    + ", which Debian's package base-files has");
        }
        files.put(COPYING, Files.readAllBytes(LICENCE));
        files.put(OFFER, offer(contact).getBytes(StandardCharsets.UTF_8));
        String sums = files.entrySet().stream()
                .map(file -> CacheSeal.sha256(file.getValue()) + "  " + file.getKey() + "\n")
                .collect(Collectors.joining());
        files.put(SUMS, sums.getBytes(StandardCharsets.UTF_8));
        return files;
    }

    private static String offer(String contact) {
        PackageArchive.PinnedPackage source = UmlKernel.source();
        return """
                The program `linux` and the modules below lib/ are Linux. They are under the GNU General Public License,
                version 2, whose text is in COPYING.

                Source: Debian's package %s, version %s, unchanged,
                whose file has the SHA-256 checksum
                %s,
                the configuration kernel.config and the module rdma4j_port.c, which are in this archive. The command
                `./rdma4j testbed setup --on uml` of rdma4j downloads that package and builds these files from it.

                Offer: for three years after this archive was passed on, and to anyone who asks, a copy of the complete
                source on a customary medium, for no more than the cost of the copy. Ask:

                    %s

                Pass this offer on with the archive, or make an offer of your own.
                """.formatted(source.name(), source.version(), source.sha256(), contact);
    }

    private static void zip(SortedMap<String, byte[]> files, Path archive) throws IOException {
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(UmlKernel.entry() + "/" + file.getKey());
                entry.setTimeLocal(NO_TIME);
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
    }

    /** * Copies an archive into the cache if the kernel is missing or damaged. All files are checked first. */
    static void read(Path archive, CacheDirectory cache, Progress progress)
            throws TestbedException, InterruptedException {
        cache.entry(UmlKernel.entry(), new CacheSeal.Check(UmlKernel.KERNEL, true, progress), target -> {
            progress.step("checking " + archive);
            SortedMap<String, byte[]> files = checked(archive);
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path place = target.resolve(file.getKey());
                Files.createDirectories(place.resolveSibling(""));
                Files.write(place, file.getValue());
            }
            Files.setPosixFilePermissions(
                    target.resolve(UmlKernel.KERNEL), PosixFilePermissions.fromString("rwxr-xr-x"));
            new CacheSeal(target).write();
        });
    }

    private static TestbedException refused(Path archive, String reason) {
        return new TestbedException(archive + " " + reason + "; nothing of it was used. Get " + name()
                + " again, or build the kernel: ./rdma4j testbed setup --on uml");
    }

    private static SortedMap<String, byte[]> checked(Path archive) throws TestbedException, IOException {
        if (!Files.isReadable(archive)) {
            throw new TestbedException(
                    "cannot read " + archive + ": the file does not exist, or this user may not read it");
        }
        if (Files.exists(sumFile(archive))) {
            String wanted = Files.readString(sumFile(archive)).split(" ", 2)[0].strip();
            if (!CacheSeal.sha256(archive).equals(wanted)) {
                throw refused(archive, "has another checksum than " + sumFile(archive) + " says");
            }
        }
        SortedMap<String, byte[]> files;
        try {
            files = unzip(archive);
        } catch (ZipException | EOFException e) {
            throw refused(archive, "is damaged (" + e.getMessage() + ")");
        }
        checkSums(archive, files);
        files.keySet().removeIf(name -> name.equals(SUMS));
        return files;
    }

    private static SortedMap<String, byte[]> unzip(Path archive) throws TestbedException, IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        long left = MOST_BYTES;
        String prefix = UmlKernel.entry() + "/";
        try (InputStream in = Files.newInputStream(archive);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = entry.getName();
                if (!name.startsWith(prefix)) {
                    throw refused(archive, "has " + name.split("/", 2)[0] + " and this testbed needs " + prefix);
                }
                byte[] bytes = zip.readNBytes((int) left);
                left -= bytes.length;
                if (left == 0 || isNoName(name.substring(prefix.length()))) {
                    throw refused(archive, "has a file that is not part of the kernel: " + name);
                }
                files.put(name.substring(prefix.length()), bytes);
            }
        }
        return files;
    }

    private static boolean isNoName(String name) {
        List<String> parts = List.of(name.split("/", -1));
        return parts.contains("") || parts.contains("..") || name.startsWith(".") || !name.matches("[\\w./+-]+");
    }

    private static void checkSums(Path archive, SortedMap<String, byte[]> files) throws TestbedException {
        byte[] sums = files.get(SUMS);
        List<String> lines = sums == null
                ? List.of()
                : new String(sums, StandardCharsets.UTF_8).lines().toList();
        Set<String> unlisted = new HashSet<>(files.keySet());
        unlisted.remove(SUMS);
        for (String line : lines) {
            String name = line.substring(Math.min(line.length(), SUM_DIGITS + 2));
            byte[] content = files.get(name);
            if (content == null || !line.equals(CacheSeal.sha256(content) + "  " + name)) {
                throw refused(archive, "is damaged (" + name + " is not what was put there)");
            }
            unlisted.remove(name);
        }
        unlisted.addAll(Stream.concat(ADDED.stream(), Stream.of(UmlKernel.KERNEL))
                .filter(name -> !files.containsKey(name))
                .toList());
        if (!unlisted.isEmpty()) {
            throw refused(archive, "is damaged (" + unlisted.iterator().next() + " is missing or has no checksum)");
        }
    }
}
