// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.trace.view;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The files that pages are made of. */
final class Resources {
    private Resources() {}

    static String text(String name) throws IOException {
        try (InputStream in = Resources.class.getResourceAsStream("/io/github/rdma4j/lab/trace/" + name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
