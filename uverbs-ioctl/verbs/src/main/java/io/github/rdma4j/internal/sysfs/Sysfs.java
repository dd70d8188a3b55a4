// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.sysfs;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Files of sysfs. Each file holds one value, and disappears with its device. */
public final class Sysfs {
    private static final int HEX = 16;
    private static final int BITS_PER_GROUP = 16;
    private static final int GUID_GROUPS = 4;

    private final Path root;

    public Sysfs(Kernel kernel) {
        this.root = LinuxKernel.of(kernel).sysfs();
    }

    /** The path of a file or directory below the mount point. */
    public Path path(String first, String... more) {
        return root.resolve(Path.of(first, more));
    }

    /** The names in a directory in numerical order; empty if the directory does not exist. */
    public static List<String> names(Path directory) throws RdmaException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        } catch (IOException e) {
            throw new RdmaException("listing " + directory + ": " + e.getMessage(), e);
        }
        names.sort(Sysfs::compareNumbered);
        return names;
    }

    /** Sorts {@code uverbs2} before {@code uverbs10}. */
    private static int compareNumbered(String one, String other) {
        int byLength = Integer.compare(one.length(), other.length());
        return byLength != 0 ? byLength : one.compareTo(other);
    }

    /** The text of a file without its line end; empty if the file does not exist or cannot be read. */
    public static Optional<String> read(Path file) {
        try {
            return Optional.of(
                    Files.readString(file, StandardCharsets.ISO_8859_1).strip());
        } catch (IOException absentOrRefused) {
            return Optional.empty();
        }
    }

    /** A decimal number, or the number before a colon as in {@code 4: ACTIVE}. */
    public static Optional<Integer> number(Path file) throws RdmaException {
        return parse(file, read(file), text -> Integer.valueOf(text.split(":", 2)[0].strip()));
    }

    /** Parses {@code 231:192} as the device number of stat(2). */
    public static Optional<Long> characterDevice(Path file) throws RdmaException {
        return parse(file, read(file), text -> {
            String[] parts = text.split(":", -1);
            return DeviceNumber.of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        });
    }

    /** Parses {@code b4d2:24ff:fe16:98a4} as a big-endian number; 0 if there is no such file. */
    public static long guid(Path file) throws RdmaException {
        return parse(file, read(file), Sysfs::parseGuid).orElse(0L);
    }

    private static long parseGuid(String text) {
        String[] groups = text.split(":", -1);
        if (groups.length != GUID_GROUPS) {
            throw new NumberFormatException(text);
        }
        long guid = 0;
        for (String group : groups) {
            guid = guid << BITS_PER_GROUP | Integer.parseInt(group, HEX);
        }
        return guid;
    }

    /** Parses {@code text}, the text of {@code file}; an exception of {@code parser} means that the text is invalid. */
    public static <T> Optional<T> parse(Path file, Optional<String> text, Function<String, T> parser)
            throws MalformedReplyException {
        try {
            return text.map(parser);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MalformedReplyException(
                    file + " (\"" + text.orElseThrow() + "\")",
                    0,
                    text.orElseThrow().length());
        }
    }
}
