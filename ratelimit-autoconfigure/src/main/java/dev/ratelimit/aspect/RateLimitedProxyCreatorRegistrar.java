package dev.ratelimit.aspect;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the proxy creator that the {@link RateLimitedAdvisor} needs, for an
 * application may have switched off the one that Spring Boot brings. Proxies are of
 * classes unless {@code spring.aop.proxy-target-class} is {@code false}.
 */
public final class RateLimitedProxyCreatorRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	RateLimitedProxyCreatorRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		if (usesClassProxies(this.environment)) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
		}
	}

	/**
	 * Returns whether proxies extend the class of the bean.
	 * @param environment the environment of the application
	 * @return {@code true} unless the application wants proxies of interfaces
	 */
	public static boolean usesClassProxies(Environment environment) {
		return environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
	}

}
