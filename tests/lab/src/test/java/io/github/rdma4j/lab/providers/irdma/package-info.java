// SPDX-License-Identifier: Apache-2.0
/** The provider of irdma, by itself. */
@NullMarked
package io.github.rdma4j.lab.providers.irdma;

import org.jspecify.annotations.NullMarked;
