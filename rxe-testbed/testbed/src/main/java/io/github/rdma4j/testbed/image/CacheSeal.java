// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The list of the files of a cache entry, in the entry: a line {@code SHA256 SIZE SECONDS PATH} for each file, with the
 * time of its last modification. Files at the top come first, so that a quick check reads no further.
 *
 * @param entry the directory of the entry
 */
record CacheSeal(Path entry) {
    private static final String NAME = ".seal";
    private static final int FIELDS = 4;

    /** The list itself is damaged. */
    static final class UnreadableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private record Line(String sha256, long size, long seconds, String path) {
        static Line of(Path entry, Path file) throws IOException {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return new Line(
                    CacheSeal.sha256(file),
                    now.size(),
                    CacheSeal.seconds(now),
                    entry.relativize(file).toString());
        }

        static Line parse(String text) throws IOException {
            String[] fields = text.split(" ", FIELDS);
            try {
                return new Line(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2]), fields[3]);
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new UnreadableException("the list of checksums is not valid: " + text, e);
            }
        }

        @Override
        public String toString() {
            return sha256 + " " + size + " " + seconds + " " + path;
        }
    }

    /** Records every file of the entry. */
    void write() throws IOException {
        List<Line> lines = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(entry)) {
            for (Path file : tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                lines.add(Line.of(entry, file));
            }
        }
        lines.sort(Comparator.comparing((Line line) -> line.path.contains("/")).thenComparing(line -> line.path));
        // Keeps the cache's file mode; Files.createTempFile would use 0600.
        Path temporary = entry.resolve(NAME + "." + ProcessHandle.current().pid());
        Files.write(temporary, lines.stream().map(Line::toString).toList());
        Files.move(temporary, entry.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Describes the damage of a file of the entry. A file with the recorded size and time is not read, because reading
     * would double the time of a start.
     */
    Optional<String> quickDamage(String name) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(entry.resolve(NAME))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                Line line = Line.parse(text);
                if (line.path.equals(name)) {
                    return damage(line, false);
                }
            }
        }
        return Optional.of(name + " is not in the list of checksums");
    }

    /** Reads every file of the entry and describes the damage. */
    Optional<String> thoroughDamage() throws IOException {
        for (String text : Files.readAllLines(entry.resolve(NAME))) {
            Optional<String> damage = damage(Line.parse(text), true);
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
    }

    private Optional<String> damage(Line line, boolean read) throws IOException {
        Path file = entry.resolve(line.path);
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            if (now.size() != line.size) {
                return Optional.of(line.path + " has " + now.size() + " bytes, not " + line.size);
            }
            boolean touched = seconds(now) != line.seconds;
            if ((read || touched) && !sha256(file).equals(line.sha256)) {
                return Optional.of(line.path + " is not what was put there");
            }
            if (touched) {
                remember(file, line.seconds);
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.of(line.path + " is missing");
        }
    }

    // A copy of the cache has new times but the old content. If the times cannot be set back, the next start reads the
    // files again.
    private static void remember(Path file, long seconds) {
        try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1000));
        } catch (IOException e) {
            return;
        }
    }

    private static long seconds(BasicFileAttributes attributes) {
        // Archives and container images keep only seconds.
        return Math.floorDiv(attributes.lastModifiedTime().toMillis(), 1000);
    }

    static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = sha256();
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    static String sha256(byte[] content) {
        return HexFormat.of().formatHex(sha256().digest(content));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Compares a cache entry with its {@link CacheSeal}.
     *
     * @param name the file of a quick check
     * @param thorough whether to read all files of the entry
     */
    record Check(String name, boolean thorough, Progress progress) implements CacheDirectory.Inspector {
        @Override
        public Optional<String> damage(Path entry) throws IOException {
            CacheSeal seal = new CacheSeal(entry);
            if (!Files.exists(entry.resolve(NAME))) {
                return Optional.of("it has no list of checksums");
            }
            if (thorough) {
                progress.step("checking " + entry);
            }
            try {
                return thorough ? seal.thoroughDamage() : seal.quickDamage(name);
            } catch (MalformedInputException | CacheSeal.UnreadableException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void replaces(Path entry, String damage) {
            progress.note("the cache entry " + entry + " is damaged (" + damage + "); making it again");
        }
    }
}
