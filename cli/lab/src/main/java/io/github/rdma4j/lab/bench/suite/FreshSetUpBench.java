// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import io.github.rdma4j.kernel.RdmaException;

/** Connections in bulk beside {@code cmtime(1)}, with fresh processes on both sides: Java begins in the interpreter. */
record FreshSetUpBench(CmtimePrograms programs, String name, int connections) implements Bench {
    @Override
    public Sample measureC() throws RdmaException, InterruptedException {
        return CmtimePrograms.sample(name, programs.measureC(connections));
    }

    @Override
    public Sample measureJava() throws RdmaException, InterruptedException {
        return CmtimePrograms.sample(name, programs.measureFreshJava(connections));
    }
}
