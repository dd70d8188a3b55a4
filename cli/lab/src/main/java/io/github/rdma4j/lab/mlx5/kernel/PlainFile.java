// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

/** A file of the file system, of which only the inode counts. */
final class PlainFile extends OpenFile {
    private final Object inode;

    PlainFile(Object inode) {
        this.inode = inode;
    }

    Object inode() {
        return inode;
    }
}
