// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;

/** A Debian archive that cannot be reached. */
final class UnreachableArchiveException extends TestbedException {
    private static final long serialVersionUID = 1L;

    private final String archive;

    UnreachableArchiveException(String archive, Throwable cause) {
        super(archive + " cannot be reached", cause);
        this.archive = archive;
    }

    /** The exception to throw if what was wanted from the archive cannot be done without. */
    TestbedException wanted(String what) {
        return new TestbedException(
                archive + " cannot be reached, and the cache does not hold what was to be downloaded (" + what
                        + "): run testbed setup where there is a network and take its cache here, in RDMA4J_CACHE,"
                        + " or name an archive that can be reached in RDMA4J_DEBIAN_MIRROR",
                this);
    }
}
