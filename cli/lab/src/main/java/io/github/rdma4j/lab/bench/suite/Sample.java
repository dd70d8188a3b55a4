// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one side has measured in one turn.
 *
 * @param figures by the names of the bench's rows
 * @param bytesPerOperation what an operation has allocated on the heap, if that was counted
 */
record Sample(Map<String, Double> figures, OptionalDouble bytesPerOperation) {
    static Sample of(Map<String, Double> figures) {
        return new Sample(figures, OptionalDouble.empty());
    }
}
