// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Files of the testbed's jar. */
public final class Resource {
    private Resource() {}

    /** Returns the content of a file, such as {@code guest/init}. */
    public static byte[] bytes(String name) {
        try (InputStream in = Resource.class.getResourceAsStream("/io/github/rdma4j/testbed/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
