// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics;

import java.util.ArrayList;
import java.util.List;

/** Lays out text for a terminal. */
final class Layout {
    static final int WIDTH = 110;

    private Layout() {}

    /** {@code first}, then the words, in lines that begin with {@code indent}. */
    static String paragraph(String first, String indent, List<String> words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(first);
        for (String word : words) {
            if (line.length() + word.length() + 1 > WIDTH && line.length() > indent.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
        return String.join(System.lineSeparator(), lines);
    }
}
