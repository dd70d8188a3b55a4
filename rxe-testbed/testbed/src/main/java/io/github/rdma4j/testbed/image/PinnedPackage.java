// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;

/**
 * A Debian package as this project was tested with it.
 *
 * @param sha256 the checksum of the package's file, in hexadecimal digits
 */
record PinnedPackage(String name, String version, String sha256) {
    /** How apt is asked for this version and no other. */
    String argument() {
        return name + "=" + version;
    }

    /** Compares the checksum of a package of this name and version with the one that is on record. */
    void check(String found) throws TestbedException {
        if (!found.equals(sha256)) {
            throw new TestbedException("the archive's package " + name + " " + version
                    + " is not the package that this version of the testbed was tested with: its SHA-256 is " + found
                    + " and not " + sha256 + "; nothing of it was used");
        }
    }
}
