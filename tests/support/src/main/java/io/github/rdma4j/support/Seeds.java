// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Gives a parameterized test of random operations a {@link NewSeed}, which becomes part of the name of the test. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(NewSeed.class)
public @interface Seeds {}
