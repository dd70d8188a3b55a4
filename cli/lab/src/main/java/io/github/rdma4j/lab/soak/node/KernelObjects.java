// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.node;

import java.util.Map;
import java.util.TreeMap;

/** The RDMA objects that a node's kernel has, by their kind, as rdma(8) counts them. */
public final class KernelObjects {
    private static final String DEVICE = "rxe0:";

    private KernelObjects() {}

    /** All kinds with their numbers; empty when there is no device. */
    public static Map<String, Long> of(Node node) throws SoakFailureException, InterruptedException {
        return parse(node.check("rdma", "resource", "show"));
    }

    /** From the text "0: rxe0: pd 1 cq 1 qp 1 cm_id 0 mr 0 ctx 0 srq 0". */
    static Map<String, Long> parse(String text) {
        Map<String, Long> objects = new TreeMap<>();
        for (String line : text.split("\n", -1)) {
            String[] words = line.trim().split("\\s+", -1);
            if (words.length > 2 && words[1].equals(DEVICE)) {
                for (int i = 2; i + 1 < words.length; i += 2) {
                    objects.put("kernel." + words[i], Long.parseLong(words[i + 1]));
                }
            }
        }
        return objects;
    }
}
