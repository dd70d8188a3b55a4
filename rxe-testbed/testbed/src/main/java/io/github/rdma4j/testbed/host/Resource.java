// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Files of the testbed's jar. */
public final class Resource {
    private Resource() {}

    /** Goes on with a hash over the content of files. */
    public static int hash(int start, List<String> names) {
        int hash = start;
        for (String name : names) {
            hash = 31 * hash + Arrays.hashCode(bytes(name));
        }
        return hash;
    }

    /** Returns the content of a file in UTF-8. */
    public static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    /** Returns the content of a file, such as {@code guest/init}. */
    public static byte[] bytes(String name) {
        try (InputStream in = Resource.class.getResourceAsStream("/io/github/rdma4j/testbed/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
