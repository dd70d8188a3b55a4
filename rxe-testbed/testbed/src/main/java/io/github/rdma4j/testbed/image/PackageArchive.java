// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** One suite of a Debian archive, whose index has been read. */
interface PackageArchive extends AutoCloseable {
    /** Finds archives. */
    interface Opener {
        /**
         * Reads the index of a suite.
         *
         * @param target the directory that packages will be unpacked into
         * @throws UnreachableArchiveException if the archive cannot be reached
         */
        PackageArchive open(String suite, DebianMirror mirror, Path target)
                throws TestbedException, IOException, InterruptedException;
    }

    /**
     * Whether the archive has all of these versions.
     *
     * @throws TestbedException if the archive has a version with another checksum
     */
    boolean has(List<PinnedPackage> pins) throws TestbedException, InterruptedException;

    /** The newest versions of the first packages and of those they lead to, as far as they are wanted. */
    List<PinnedPackage> newest(List<String> starts, Predicate<String> wanted)
            throws TestbedException, InterruptedException;

    /** Leaves in {@code target} the files of these packages. */
    void unpack(List<PinnedPackage> packages, Path target) throws TestbedException, IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
