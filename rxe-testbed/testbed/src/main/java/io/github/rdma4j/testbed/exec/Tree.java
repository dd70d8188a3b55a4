// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A directory tree as a stream of bytes: permissions, files and symbolic links, which are not followed. {@code exec.pl}
 * uses the same format. Names are bytes at both ends, in any locale of this JVM.
 */
public final class Tree {
    private static final int CHUNK = 65536;
    private static final int LONGEST_NAME = 4096;
    private static final int LONGEST_PIECE = 1 << 20;
    private static final int MODE_BITS = 9;

    private Tree() {}

    /** The permissions of a file as the nine bits of a mode. */
    public static int mode(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        int mode = 0;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            mode = mode << 1 | (permissions.contains(permission) ? 1 : 0);
        }
        return mode;
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        int bit = 1 << MODE_BITS;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            bit >>= 1;
            if ((mode & bit) != 0) {
                permissions.add(permission);
            }
        }
        return permissions;
    }

    /** Writes a directory of this machine. */
    public static void write(Path directory, OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        writeDirectory(directory, "", out);
        out.flush();
    }

    private static void writeDirectory(Path directory, String name, DataOutputStream out) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        }
        Collections.sort(entries);
        out.writeByte('d');
        writeString(name, out);
        writeString(Integer.toOctalString(mode(directory)), out);
        for (Path entry : entries) {
            BasicFileAttributes attributes =
                    Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            String entryName = bytes(Path.of("/").resolve(entry.getName(entry.getNameCount() - 1)));
            if (attributes.isSymbolicLink()) {
                out.writeByte('l');
                writeString(entryName, out);
                writeString(target(entry), out);
            } else if (attributes.isDirectory()) {
                writeDirectory(entry, entryName, out);
            } else if (attributes.isRegularFile()) {
                writeFile(entry, entryName, out);
            } else {
                throw new FileSystemException(
                        entry.toString(), null, "neither a file nor a directory nor a symbolic link");
            }
        }
        out.writeByte('.');
    }

    private static void writeFile(Path file, String name, DataOutputStream out) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            out.writeByte('f');
            writeString(name, out);
            writeString(Integer.toOctalString(mode(file)), out);
            byte[] chunk = new byte[CHUNK];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                out.writeInt(read);
                out.write(chunk, 0, read);
            }
            out.writeInt(0);
        }
    }

    private static String target(Path link) throws IOException {
        Path target = Files.readSymbolicLink(link);
        return target.isAbsolute() ? "/" + bytes(target) : bytes(Path.of("/").resolve(target));
    }

    /** The path below the root, with a character for each byte: in some locales text cannot hold every name. */
    private static String bytes(Path path) {
        String raw = path.toUri().getRawPath();
        StringBuilder bytes = new StringBuilder();
        for (int i = 1; i < raw.length(); i++) {
            if (raw.charAt(i) == '%') {
                bytes.append((char) Integer.parseInt(raw.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.append(raw.charAt(i));
            }
        }
        // toUri() appends a slash if this machine has a directory of the same name.
        int length = bytes.length();
        return length > 0 && bytes.charAt(length - 1) == '/' ? bytes.substring(0, length - 1) : bytes.toString();
    }

    /** The path from the root with these bytes. */
    private static Path path(String bytes) {
        StringBuilder raw = new StringBuilder("file:///");
        for (int i = 0; i < bytes.length(); i++) {
            char each = bytes.charAt(i);
            raw.append(each == '/' ? "/" : "%" + HexFormat.of().toHexDigits((byte) each));
        }
        return Path.of(URI.create(raw.toString()));
    }

    private static void writeString(String bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length());
        out.write(bytes.getBytes(ISO_8859_1));
    }

    /** Reads a tree after its first byte into a directory of this machine, which may exist. */
    public static void read(InputStream stream, Path directory) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        readString(in);
        int mode = readMode(in);
        // The directory itself may be a link, but no entry may lead out of it.
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
        readEntries(in, directory, mode);
    }

    private static void readEntries(DataInputStream in, Path directory, int mode) throws IOException {
        for (int type = in.readByte(); type != '.'; type = in.readByte()) {
            String name = readString(in);
            if (name.matches("(?s)\\.{0,2}|.*/.*")) {
                throw new IOException("the node sent the name '" + name + "' of a file");
            }
            Path entry = directory.resolve(path(name).getName(0));
            if (type == 'd') {
                int entryMode = readMode(in);
                if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(entry);
                }
                readEntries(in, entry, entryMode);
            } else {
                readFile(in, type, entry);
            }
        }
        // Last, because a read-only directory takes no entries.
        Files.setPosixFilePermissions(directory, permissions(mode));
    }

    private static void readFile(DataInputStream in, int type, Path entry) throws IOException {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(entry.toString(), null, "a directory has the name of the file");
        }
        Files.deleteIfExists(entry);
        if (type == 'l') {
            String target = readString(in);
            Path absolute = path(target.startsWith("/") ? target.substring(1) : target);
            Files.createSymbolicLink(
                    entry, target.startsWith("/") ? absolute : absolute.subpath(0, absolute.getNameCount()));
            return;
        }
        Set<PosixFilePermission> permissions = permissions(readMode(in));
        try (OutputStream out = Files.newOutputStream(entry)) {
            for (int length = in.readInt(); length != 0; length = in.readInt()) {
                out.write(readBytes(in, length, LONGEST_PIECE));
            }
        }
        Files.setPosixFilePermissions(entry, permissions);
    }

    private static int readMode(DataInputStream in) throws IOException {
        return Integer.parseInt(readString(in), 8);
    }

    private static String readString(DataInputStream in) throws IOException {
        String text = new String(readBytes(in, in.readInt(), LONGEST_NAME), ISO_8859_1);
        if (text.indexOf('\0') >= 0) {
            throw new IOException("the node sent a name with a NUL");
        }
        return text;
    }

    private static byte[] readBytes(DataInputStream in, int length, int most) throws IOException {
        if (length < 0 || length > most) {
            throw new IOException("the node sent " + length + " bytes at once, and may send " + most);
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
