// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the archive format of initramfs images, "newc" (Linux {@code driver-api/early-userspace/buffer-format}). */
final class CpioArchive implements AutoCloseable {
    private static final int DIRECTORY = 0040755;
    private static final int EXECUTABLE = 0100755;
    private static final int CHARACTER_DEVICE = 0020600;

    private final OutputStream out;
    private int inode;

    CpioArchive(OutputStream out) {
        this.out = out;
    }

    void directory(String name) throws IOException {
        entry(name, DIRECTORY, 0, 0, new byte[0]);
    }

    void file(String name, byte[] content) throws IOException {
        entry(name, EXECUTABLE, 0, 0, content);
    }

    void characterDevice(String name, int major, int minor) throws IOException {
        entry(name, CHARACTER_DEVICE, major, minor, new byte[0]);
    }

    private void entry(String name, int mode, int major, int minor, byte[] content) throws IOException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        // magic, ino, mode, uid, gid, nlink, mtime, filesize, devmajor, devminor, rdevmajor, rdevminor, namesize, check
        int[] fields = {++inode, mode, 0, 0, 1, 0, content.length, 0, 0, major, minor, path.length + 1, 0};
        StringBuilder header = new StringBuilder("070701");
        for (int field : fields) {
            header.append(String.format("%08x", field));
        }
        out.write(header.toString().getBytes(StandardCharsets.US_ASCII));
        out.write(path);
        out.write(0);
        pad(header.length() + path.length + 1);
        out.write(content);
        pad(content.length);
    }

    private void pad(int written) throws IOException {
        out.write(new byte[-written & 3]);
    }

    @Override
    public void close() throws IOException {
        entry("TRAILER!!!", 0, 0, 0, new byte[0]);
        out.close();
    }
}
