// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import java.util.List;

/** Names of small numbers. */
final class Names {
    private Names() {}

    /** The name of {@code number} in {@code names}, or {@code otherwise}. */
    static String at(List<String> names, int number, String otherwise) {
        return number >= 0 && number < names.size() ? names.get(number) : otherwise;
    }
}
