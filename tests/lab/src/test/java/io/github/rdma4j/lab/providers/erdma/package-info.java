// SPDX-License-Identifier: Apache-2.0
/** The provider of erdma, by itself. */
@NullMarked
package io.github.rdma4j.lab.providers.erdma;

import org.jspecify.annotations.NullMarked;
