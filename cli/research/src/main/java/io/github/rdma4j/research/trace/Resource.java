// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The files of this package: what pages are made of, and tables. */
final class Resource {
    private Resource() {}

    static String text(String name) {
        try (InputStream in = Objects.requireNonNull(Resource.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The columns of each line of a table, without comments. */
    static Stream<List<String>> rows(String name) {
        return text(name).lines().filter(line -> !line.startsWith("#")).map(line -> List.of(line.split("\t", -1)));
    }
}
