// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A seed for a test of random operations, another one in each run. It is printed, and {@code -Drdma4j.seed=N} repeats the run that
 * printed N.
 */
public final class NewSeed implements ArgumentsProvider {
    static final String PROPERTY = "rdma4j.seed";

    /** Draws a seed for {@code test}, unless a run is to be repeated, and prints it. */
    public static long of(String test) {
        long seed = Long.getLong(PROPERTY, ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        System.out.println(test + ": seed " + seed + "; -D" + PROPERTY + "=" + seed + " repeats it");
        return seed;
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        String type = context.getRequiredTestClass().getSimpleName();
        return Stream.of(
                Arguments.of(of(type + "." + context.getRequiredTestMethod().getName())));
    }
}
