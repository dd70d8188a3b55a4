// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A parameterized test of random operations gets a {@link NewSeed}, which is a part of its name then. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(NewSeed.class)
public @interface Seeds {}
