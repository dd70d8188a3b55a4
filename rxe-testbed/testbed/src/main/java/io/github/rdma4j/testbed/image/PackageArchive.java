// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** A suite of a Debian archive, whose index has been read. */
interface PackageArchive extends AutoCloseable {
    /** Finds archives. */
    interface Opener {
        /**
         * Reads the index of a suite.
         *
         * @param target the directory that packages will be unpacked into
         * @throws UnreachableException if the archive cannot be reached
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

    /** The newest versions of the first packages and of their dependencies, if they are wanted. */
    List<PinnedPackage> newest(List<String> starts, Predicate<String> wanted)
            throws TestbedException, InterruptedException;

    /** Unpacks these packages into {@code target}. */
    void unpack(List<PinnedPackage> packages, Path target) throws TestbedException, IOException, InterruptedException;

    @Override
    void close() throws IOException;

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
